/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Parses JSON text strictly and within bounds, and formats it. */
final class JsonText {
    /** The longest text that is read, in characters. It has room for about ten thousand policies. */
    static final int LONGEST = 4 << 20;

    /** The path of the document itself. */
    static final String ROOT = "$";

    /** The deepest nesting that is read. A policy document has four levels; a deeper document would cost stack. */
    private static final int DEEPEST = 16;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxDocumentLength(LONGEST)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private JsonText() {}

    static ObjectNode parse(String text) {
        if (text.length() > LONGEST) {
            throw invalid("longer than " + LONGEST + " characters, found " + text.length() + "; name fewer policies");
        }
        JsonNode document;
        try {
            document = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw invalid("no JSON" + place(e.getLocation()) + ": " + firstLine(e.getOriginalMessage()));
        }
        if (document.isMissingNode()) {
            throw invalid("empty; write {\"schema\": 1, \"version\": 1, \"policies\": []}");
        }
        if (document instanceof ObjectNode object) {
            return object;
        }
        throw invalid("no object, found " + JsonObject.describe(document) + "; write {\"schema\": 1, ...}");
    }

    static ObjectNode of(Map<String, ?> fields) {
        return MAPPER.valueToTree(fields);
    }

    static String format(ObjectNode document) {
        return document.toPrettyString() + '\n';
    }

    static InvalidPolicyException invalid(String message) {
        return new InvalidPolicyException(List.of(new PolicyProblem(ROOT, message)));
    }

    private static String place(JsonLocation location) {
        return location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    /** Returns the first line of the parser's message, without its further lines. */
    private static String firstLine(String message) {
        String shown = Quoted.text(message.lines().findFirst().orElse(""));
        return shown.substring(1, shown.length() - 1);
    }
}
