/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a whole policy document and collects the problems of all parts. */
final class DocumentReader {
    static final int SCHEMA_VERSION = 1;

    private final JsonObject json;
    private final PartyValidator known;

    private DocumentReader(ObjectNode document, PartyValidator known) {
        this.json = new JsonObject(document, "");
        this.known = known;
    }

    /** Returns the set of this document, or throws all problems of the document. */
    static PolicySet read(ObjectNode document, PartyValidator known) {
        return new DocumentReader(document, known).read();
    }

    private PolicySet read() {
        json.rejectUnknownKeys(PolicyKeys.OF_DOCUMENT);
        json.rejectIfMissing(PolicyKeys.SCHEMA, "write \"schema\": " + SCHEMA_VERSION);
        json.rejectIfMissing(PolicyKeys.VERSION, "write a whole number that grows with each change");
        json.rejectIfMissing(PolicyKeys.POLICIES, "write a list of policies, [] for none");
        rejectOtherSchemas();
        long version = json.wholeNumber(PolicyKeys.VERSION, 0, Long.MAX_VALUE).orElse(0);
        UnmatchedAddress unmatched = json.choice(
                        PolicyKeys.UNMATCHED, List.of(UnmatchedAddress.values()), UnmatchedAddress::label)
                .orElse(UnmatchedAddress.PASS);
        WildcardSyntax syntax = WildcardSyntaxReader.read(json);
        List<Policy> policies = policies(syntax);
        List<PolicyProblem> problems = json.problems();
        if (!problems.isEmpty()) {
            throw new InvalidPolicyException(problems);
        }
        return PolicySet.of(version, unmatched, syntax, policies);
    }

    private void rejectOtherSchemas() {
        json.field(PolicyKeys.SCHEMA)
                .filter(value -> JsonObject.wholeNumber(value, SCHEMA_VERSION, SCHEMA_VERSION)
                        .isEmpty())
                .ifPresent(value -> json.reject(
                        PolicyKeys.SCHEMA,
                        "not " + SCHEMA_VERSION + ", found " + JsonObject.describe(value)
                                + "; this release reads schema " + SCHEMA_VERSION + " alone"));
    }

    private List<Policy> policies(WildcardSyntax syntax) {
        Optional<JsonNode> list = json.field(PolicyKeys.POLICIES);
        if (list.isPresent() && !list.get().isArray()) {
            json.reject(
                    PolicyKeys.POLICIES,
                    "not a list, found " + JsonObject.describe(list.get()) + "; write [{...}], [] for none");
        }
        List<Policy> policies = new ArrayList<>();
        Map<String, String> firstPaths = new HashMap<>();
        for (int i = 0;
                list.isPresent() && list.get().isArray() && i < list.get().size();
                i++) {
            if (list.get().get(i) instanceof ObjectNode policy) {
                String path = PolicyKeys.POLICIES + "[" + i + "]";
                JsonObject fields = new JsonObject(policy, path);
                new PolicyReader(fields, known, syntax).read().ifPresent(policies::add);
                rejectSecond(fields, policy.path(PolicyKeys.PATTERN), path, firstPaths);
                json.rejectAll(PolicyKeys.POLICIES, fields.problems());
            } else {
                json.reject(
                        PolicyKeys.POLICIES,
                        i,
                        "not a policy, found " + JsonObject.describe(list.get().get(i))
                                + "; write {\"pattern\": ..., \"quality\": ...}");
            }
        }
        return policies;
    }

    private static void rejectSecond(JsonObject fields, JsonNode pattern, String path, Map<String, String> firstPaths) {
        if (pattern.isTextual() && !pattern.textValue().isBlank()) {
            AddressPattern.problemWithSecond(pattern.textValue(), path, firstPaths)
                    .ifPresent(problem -> fields.reject(PolicyKeys.PATTERN, problem));
        }
    }
}
