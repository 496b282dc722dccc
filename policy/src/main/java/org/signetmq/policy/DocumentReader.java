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
    private final long version;
    private final UnmatchedAddress unmatched;
    private final WildcardSyntax syntax;
    private final List<Policy> policies = new ArrayList<>();
    private final Map<String, String> firstPaths = new HashMap<>();

    /** Reads all keys but the policies. */
    private DocumentReader(ObjectNode keys, PartyValidator known) {
        this.json = new JsonObject(keys, "");
        this.known = RememberedParties.of(known);
        json.rejectUnknownKeys(PolicyKeys.OF_DOCUMENT);
        json.rejectIfMissing(PolicyKeys.SCHEMA, "write \"schema\": " + SCHEMA_VERSION);
        json.rejectIfMissing(PolicyKeys.VERSION, "write a whole number that grows with each change");
        json.rejectIfMissing(PolicyKeys.POLICIES, "write a list of policies, [] for none");
        rejectOtherSchemas();
        this.version = json.wholeNumber(PolicyKeys.VERSION, 0, Long.MAX_VALUE).orElse(0);
        this.unmatched = json.choice(PolicyKeys.UNMATCHED, List.of(UnmatchedAddress.values()), UnmatchedAddress::label)
                .orElse(UnmatchedAddress.PASS);
        this.syntax = WildcardSyntaxReader.read(json);
    }

    /** Returns the set of this document, or throws the problems of the document. */
    static PolicySet read(DocumentText text, PartyValidator known) {
        DocumentParser parser = new DocumentParser(text);
        DocumentReader reader = new DocumentReader(parser.keys(), known);
        if (reader.hasPolicies()) {
            parser.policies(reader::add);
        }
        return reader.set();
    }

    /** Returns the problems that {@link #read} would find in the document of this set; an empty list for none. */
    static List<PolicyProblem> problems(PolicySet set, PartyValidator known) {
        DocumentReader reader = new DocumentReader(PolicyWriter.keys(set), known);
        int read = 0;
        while (read < set.policies().size()
                && reader.add(read, PolicyWriter.policy(set.policies().get(read)))) {
            read++;
        }
        return reader.json.problems();
    }

    private PolicySet set() {
        if (json.hasProblems()) {
            throw new InvalidPolicyException(json.problems());
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

    private boolean hasPolicies() {
        Optional<JsonNode> list = json.field(PolicyKeys.POLICIES);
        list.filter(value -> !value.isArray())
                .ifPresent(value -> json.reject(
                        PolicyKeys.POLICIES,
                        "not a list, found " + JsonObject.describe(value) + "; write [{...}], [] for none"));
        return list.filter(JsonNode::isArray).isPresent();
    }

    /** Reads the next policy. Returns whether there is room for more problems. */
    private boolean add(int index, JsonNode policy) {
        if (policy instanceof ObjectNode object) {
            String path = PolicyKeys.POLICIES + "[" + index + "]";
            JsonObject fields = new JsonObject(object, path);
            new PolicyReader(fields, known, syntax).read().ifPresent(policies::add);
            rejectSecond(fields, object.path(PolicyKeys.PATTERN), path);
            json.rejectAll(PolicyKeys.POLICIES, fields.problems());
        } else {
            json.reject(
                    PolicyKeys.POLICIES,
                    index,
                    "not a policy, found " + JsonObject.describe(policy)
                            + "; write {\"pattern\": ..., \"quality\": ...}");
        }
        return !json.isFull();
    }

    private void rejectSecond(JsonObject fields, JsonNode pattern, String path) {
        if (pattern.isTextual() && !pattern.textValue().isBlank()) {
            AddressPattern.problemWithSecond(pattern.textValue(), path, firstPaths)
                    .ifPresent(problem -> fields.reject(PolicyKeys.PATTERN, problem));
        }
    }
}
