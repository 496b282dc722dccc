/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.FirstPolicies;
import org.signetmq.policy.internal.text.PolicyKeys;

/** Reads the policies of a document one after the other. It stops when more problems are found than are reported. */
final class PolicyListReader implements DocumentParser.Policies {
    private final PartyValidator known;
    private @Nullable WildcardSyntax syntax;
    private final List<Policy> policies = new ArrayList<>();
    private final List<PolicyProblem> problems = new ArrayList<>();
    private final FirstPolicies firsts = new FirstPolicies();

    /**
     * Creates a reader of patterns with this syntax; null for the syntax that the document sets before its policies.
     */
    PolicyListReader(PartyValidator known, @Nullable WildcardSyntax syntax) {
        this.known = known;
        this.syntax = syntax;
    }

    @Override
    public boolean take(int index, JsonNode policy, ObjectNode keys) {
        WildcardSyntax wildcards = syntax;
        if (wildcards == null) {
            wildcards = WildcardSyntaxReader.read(new JsonObject(keys, ""));
            syntax = wildcards;
        }
        String path = PolicyKeys.POLICIES + "[" + index + "]";
        if (policy instanceof ObjectNode object) {
            JsonObject fields = new JsonObject(object, path);
            new PolicyReader(fields, known, wildcards).read().ifPresent(policies::add);
            rejectSecond(fields, object.path(PolicyKeys.PATTERN), index, wildcards);
            problems.addAll(fields.problems());
        } else {
            problems.add(new PolicyProblem(
                    path,
                    "not a policy, found " + JsonObject.describe(policy)
                            + "; write {\"pattern\": ..., \"quality\": ...}"));
        }
        return problems.size() <= DocumentLimits.MOST_PROBLEMS;
    }

    private void rejectSecond(JsonObject fields, JsonNode pattern, int index, WildcardSyntax wildcards) {
        if (pattern.isTextual() && !pattern.textValue().isBlank()) {
            firsts.problemWith(wildcards.plain(pattern.textValue()), index)
                    .ifPresent(problem -> fields.reject(PolicyKeys.PATTERN, problem));
        }
    }

    /** Returns the syntax of the patterns; the default if no policy was read. */
    WildcardSyntax syntax() {
        return syntax == null ? WildcardSyntax.DEFAULT : syntax;
    }

    List<Policy> policies() {
        return policies;
    }

    /** Returns the problems, in the order of the policies. */
    List<PolicyProblem> problems() {
        return problems;
    }
}
