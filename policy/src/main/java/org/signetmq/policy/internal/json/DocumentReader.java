/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;

/** Reads a whole policy document and collects the problems of all parts. */
public final class DocumentReader {
    public static final int SCHEMA_VERSION = 1;

    private final JsonObject json;
    private final long version;
    private final UnmatchedAddress unmatched;
    private final WildcardSyntax syntax;
    private final List<String> recovery;

    /** Reads all keys but the policies. */
    private DocumentReader(ObjectNode keys, PartyValidator known) {
        this.json = new JsonObject(keys, "");
        json.rejectUnknownKeys(PolicyKeys.OF_DOCUMENT);
        json.rejectIfMissing(PolicyKeys.SCHEMA, "write \"schema\": " + SCHEMA_VERSION);
        json.rejectIfMissing(PolicyKeys.VERSION, "write a whole number that grows with each change");
        json.rejectIfMissing(PolicyKeys.POLICIES, "write a list of policies, [] for none");
        rejectOtherSchemas();
        this.version = json.wholeNumber(PolicyKeys.VERSION, 0, Long.MAX_VALUE).orElse(0);
        this.unmatched = json.choice(PolicyKeys.UNMATCHED, List.of(UnmatchedAddress.values()), UnmatchedAddress::label)
                .orElse(UnmatchedAddress.PASS);
        this.syntax = WildcardSyntaxReader.read(json);
        this.recovery = recovery(known);
        json.field(PolicyKeys.POLICIES)
                .filter(value -> !value.isArray())
                .ifPresent(value -> json.reject(
                        PolicyKeys.POLICIES,
                        "not a list, found " + JsonObject.describe(value) + "; write [{...}], [] for none"));
    }

    private List<String> recovery(PartyValidator known) {
        Optional<String> tooMany = DocumentLimits.problemWithRecovery(
                json.field(PolicyKeys.RECOVERY).map(JsonNode::size).orElse(0));
        tooMany.ifPresent(problem -> json.reject(PolicyKeys.RECOVERY, problem));
        return tooMany.isPresent() ? List.of() : json.parties(PolicyKeys.RECOVERY, known.recipientProblem());
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

    /** Returns the set of this document, or throws the problems of the document. */
    public static PolicySet read(DocumentText text, PartyValidator known) {
        PartyValidator parties = RememberedParties.of(known);
        DocumentParser parser = new DocumentParser(text);
        PolicyListReader first = new PolicyListReader(parties, null);
        DocumentReader document = new DocumentReader(parser.read(first), parties);
        PolicyListReader policies = first;
        if (!first.syntax().equals(document.syntax)) {
            // the wildcards follow the policies, which need them
            policies = new PolicyListReader(parties, document.syntax);
            parser.read(policies);
        }
        return document.set(policies);
    }

    /** Returns the problems that {@link #read} would find in the document of this set; an empty list for none. */
    public static List<PolicyProblem> problems(PolicySet set, PartyValidator known) {
        PartyValidator parties = RememberedParties.of(known);
        PolicyListReader policies = new PolicyListReader(parties, set.wildcards());
        ObjectNode keys = PolicyWriter.keys(set);
        DocumentReader document = new DocumentReader(keys, parties);
        int read = 0;
        while (read < set.policies().size()
                && policies.take(read, PolicyWriter.policy(set.policies().get(read)), keys)) {
            read++;
        }
        document.json.rejectAll(PolicyKeys.POLICIES, policies.problems());
        return document.json.problems();
    }

    private PolicySet set(PolicyListReader policies) {
        json.rejectAll(PolicyKeys.POLICIES, policies.problems());
        if (json.hasProblems()) {
            throw new InvalidPolicyException(json.problems());
        }
        return PolicySet.of(version, new PolicySet.Settings(unmatched, syntax, recovery), policies.policies());
    }
}
