/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.internal.match.AddressCache;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.FirstPolicies;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.internal.text.Quoted;

/** Reads a whole policy document and collects the problems of all parts. */
public final class DocumentReader {
    public static final int SCHEMA_VERSION = 1;

    private static final int MOST_REMEMBERED_NAMES = 10_000;
    private static final String FORM_OF_WILDCARDS =
            "write {\"delimiter\": \"/\", \"any-words\": \"#\", \"single-word\": \"+\"}, as broker.xml has them";

    private final JsonObject json;
    private final long version;
    private final PolicySet.Settings settings;

    /** Reads all keys but the policies. */
    private DocumentReader(ObjectNode keys, PartyValidator known) {
        this.json = new JsonObject(keys, "");
        json.rejectUnknownKeys(PolicyKeys.OF_DOCUMENT);
        json.rejectIfMissing(PolicyKeys.SCHEMA, "write \"schema\": " + SCHEMA_VERSION);
        json.rejectIfMissing(PolicyKeys.VERSION, "write a whole number that grows with each change");
        json.rejectIfMissing(PolicyKeys.POLICIES, "write a list of policies, [] for none");
        rejectOtherSchemas();
        this.version = json.wholeNumber(PolicyKeys.VERSION, 0, Long.MAX_VALUE).orElse(0);
        UnmatchedAddress unmatched = json.choice(
                        PolicyKeys.UNMATCHED, List.of(UnmatchedAddress.values()), UnmatchedAddress::label)
                .orElse(UnmatchedAddress.PASS);
        this.settings = new PolicySet.Settings(unmatched, wildcards(json), recovery(known));
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

    /** Returns the wildcards of a document. Characters that the document does not set are those of Artemis. */
    private static WildcardSyntax wildcards(JsonObject document) {
        Optional<JsonNode> value = document.field(PolicyKeys.WILDCARDS);
        if (value.isEmpty()) {
            return WildcardSyntax.DEFAULT;
        }
        if (!(value.get() instanceof ObjectNode object)) {
            document.reject(
                    PolicyKeys.WILDCARDS,
                    "no object, found " + JsonObject.describe(value.get()) + "; " + FORM_OF_WILDCARDS);
            return WildcardSyntax.DEFAULT;
        }
        JsonObject json = new JsonObject(object, document.pathOf(PolicyKeys.WILDCARDS));
        json.rejectUnknownKeys(PolicyKeys.OF_WILDCARDS);
        char delimiter = character(json, PolicyKeys.DELIMITER, WildcardSyntax.DEFAULT.delimiter());
        char anyWords = character(json, PolicyKeys.ANY_WORDS, WildcardSyntax.DEFAULT.anyWords());
        char singleWord = character(json, PolicyKeys.SINGLE_WORD, WildcardSyntax.DEFAULT.singleWord());
        Optional<String> problem = WildcardSyntax.problemWith(delimiter, anyWords, singleWord);
        problem.ifPresent(message -> document.reject(PolicyKeys.WILDCARDS, message));
        document.rejectAll(PolicyKeys.WILDCARDS, json.problems());
        return problem.isPresent() ? WildcardSyntax.DEFAULT : new WildcardSyntax(delimiter, anyWords, singleWord);
    }

    private static char character(JsonObject json, String key, char otherwise) {
        Optional<String> text = json.text(key);
        if (text.isPresent() && text.get().length() != 1) {
            json.reject(key, "not one character, found " + Quoted.text(text.get()) + "; " + FORM_OF_WILDCARDS);
        }
        return text.filter(written -> written.length() == 1)
                .map(written -> written.charAt(0))
                .orElse(otherwise);
    }

    /** Returns the set of this document, or throws the problems of the document. */
    public static PolicySet read(DocumentParser parser, PartyValidator known) {
        PartyValidator parties = remembered(known);
        Policies policies = new Policies(parties, null);
        DocumentReader document = new DocumentReader(parser.read(policies), parties);
        WildcardSyntax wildcards = document.settings.wildcards();
        if (policies.syntax != null && !policies.syntax.equals(wildcards)) {
            // the wildcards follow the policies, which need them
            policies = new Policies(parties, wildcards);
            parser.read(policies);
        }
        document.json.rejectAll(PolicyKeys.POLICIES, policies.problems);
        if (document.json.hasProblems()) {
            throw new InvalidPolicyException(document.json.problems());
        }
        return PolicySet.of(document.version, document.settings, policies.read);
    }

    /** Returns the problems that {@link #read} would find in the document of this set; an empty list for none. */
    public static List<PolicyProblem> problems(PolicySet set, PartyValidator known) {
        PartyValidator parties = remembered(known);
        Policies policies = new Policies(parties, set.wildcards());
        ObjectNode keys = PolicyWriter.keys(set);
        DocumentReader document = new DocumentReader(keys, parties);
        int read = 0;
        while (read < set.policies().size()
                && policies.take(read, PolicyWriter.policy(set.policies().get(read)), keys)) {
            read++;
        }
        document.json.rejectAll(PolicyKeys.POLICIES, policies.problems);
        return document.json.problems();
    }

    /** Asks a validator once for each name, because many policies of a document name the same parties. */
    private static PartyValidator remembered(PartyValidator known) {
        return new PartyValidator(remembered(known.recipientProblem()), remembered(known.signerProblem()));
    }

    private static Function<String, Optional<String>> remembered(Function<String, Optional<String>> problem) {
        AddressCache<Optional<String>> answers = new AddressCache<>(MOST_REMEMBERED_NAMES);
        return name -> answers.get(name, problem);
    }

    /** Reads the policies one after the other. It stops when more problems are found than are reported. */
    private static final class Policies implements DocumentParser.Policies {
        private final PartyValidator known;
        /** The wildcards of the patterns; null until the first policy, for those that the document sets before it. */
        private @Nullable WildcardSyntax syntax;

        private final List<Policy> read = new ArrayList<>();
        private final List<PolicyProblem> problems = new ArrayList<>();
        private final FirstPolicies firsts = new FirstPolicies();

        Policies(PartyValidator known, @Nullable WildcardSyntax syntax) {
            this.known = known;
            this.syntax = syntax;
        }

        @Override
        public boolean take(int index, JsonNode policy, ObjectNode keys) {
            WildcardSyntax wildcards = syntax == null ? wildcards(new JsonObject(keys, "")) : syntax;
            syntax = wildcards;
            String path = PolicyKeys.POLICIES + "[" + index + "]";
            if (policy instanceof ObjectNode object) {
                JsonObject fields = new JsonObject(object, path);
                new PolicyReader(fields, known, wildcards).read().ifPresent(read::add);
                JsonNode pattern = object.path(PolicyKeys.PATTERN);
                if (pattern.isTextual() && !pattern.textValue().isBlank()) {
                    firsts.problemWith(wildcards.plain(pattern.textValue()), index)
                            .ifPresent(problem -> fields.reject(PolicyKeys.PATTERN, problem));
                }
                problems.addAll(fields.problems());
            } else {
                problems.add(new PolicyProblem(
                        path,
                        "not a policy, found " + JsonObject.describe(policy)
                                + "; write {\"pattern\": ..., \"quality\": ...}"));
            }
            return problems.size() <= DocumentLimits.MOST_PROBLEMS;
        }
    }
}
