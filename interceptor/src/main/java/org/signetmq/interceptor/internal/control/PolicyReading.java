/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;

/** Reads the arguments of an administrator's request. Each method throws {@link InvalidPolicyException}. */
final class PolicyReading {
    /** The longest policy, in characters. A longer one comes as a part of a whole document. */
    static final int LONGEST_POLICY = 60_000;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private PolicyReading() {}

    /** Returns the fields of a JSON object. */
    static Map<String, Object> fields(String json) {
        if (json.length() > LONGEST_POLICY) {
            throw InvalidPolicyException.of(
                    "$", "longer than " + LONGEST_POLICY + " characters; send a whole document");
        }
        try {
            Map<String, Object> fields = MAPPER.readValue(json, new TypeReference<Map<String, Object>>() {});
            if (fields != null) {
                return fields;
            }
        } catch (JsonProcessingException e) {
            // said below
        }
        throw InvalidPolicyException.of("$", "no JSON object; write {\"pattern\": ..., \"quality\": ...}");
    }

    /** Returns the texts of a JSON list. */
    static List<String> names(String json) {
        if (json.length() > LONGEST_POLICY) {
            throw InvalidPolicyException.of("recovery", "longer than " + LONGEST_POLICY + " characters; name fewer");
        }
        List<String> names = new ArrayList<>();
        try {
            JsonNode list = MAPPER.readTree(json);
            if (list.isArray()) {
                list.forEach(name -> names.add(name.isTextual() ? name.textValue() : ""));
                return names; // a blank name is rejected with its place
            }
        } catch (JsonProcessingException e) {
            // said below
        }
        throw InvalidPolicyException.of("recovery", "no JSON list; write [\"NAME\"], or [] for none");
    }

    static UnmatchedAddress rule(String label) {
        return Stream.of(UnmatchedAddress.values())
                .filter(rule -> rule.label().equals(label))
                .findFirst()
                .orElseThrow(() -> InvalidPolicyException.of("unmatched", "must be pass or reject"));
    }

    static WildcardSyntax wildcards(String json) {
        Map<String, Object> fields = fields(json);
        char delimiter = character(fields, "delimiter");
        char anyWords = character(fields, "any-words");
        char singleWord = character(fields, "single-word");
        WildcardSyntax.problemWith(delimiter, anyWords, singleWord).ifPresent(problem -> {
            throw InvalidPolicyException.of("wildcards", problem);
        });
        return new WildcardSyntax(delimiter, anyWords, singleWord);
    }

    private static char character(Map<String, Object> fields, String key) {
        if (fields.get(key) instanceof String text && text.length() == 1) {
            return text.charAt(0);
        }
        throw InvalidPolicyException.of("wildcards." + key, "not one character");
    }
}
