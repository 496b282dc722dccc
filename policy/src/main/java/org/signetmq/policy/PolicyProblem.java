/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.FirstPolicies;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.internal.text.RecoveryNames;

/**
 * One problem of a policy.
 *
 * @param path the place as a JSON path, such as {@code policies[2].key-reuse}
 * @param message the problem, the value found and the remedy
 */
public record PolicyProblem(String path, String message) {
    /**
     * Returns the problems of a set with these rules and policies; empty for none. A policy beyond the hundredth
     * problem is not checked.
     */
    static List<PolicyProblem> of(PolicySet.Settings settings, List<Policy> policies) {
        WildcardSyntax syntax = settings.wildcards();
        List<PolicyProblem> problems = new ArrayList<>();
        RecoveryNames.problems(settings.recovery())
                .forEach((path, message) -> problems.add(new PolicyProblem(path, message)));
        DocumentLimits.problemWithCount(policies.size())
                .ifPresent(message -> problems.add(new PolicyProblem(PolicyKeys.POLICIES, message)));
        FirstPolicies firsts = new FirstPolicies();
        for (int i = 0; i < policies.size() && problems.size() <= DocumentLimits.MOST_PROBLEMS; i++) {
            int index = i;
            String pattern = policies.get(i).pattern();
            syntax.problemWithPattern(pattern)
                    .or(() -> firsts.problemWith(syntax.plain(pattern), index))
                    .ifPresent(message -> problems.add(of(index, PolicyKeys.PATTERN, message)));
            policies.get(i)
                    .problemsWithNames(settings.recovery().size(), syntax.variablesOf(pattern))
                    .forEach((key, message) -> problems.add(of(index, key, message)));
        }
        return problems;
    }

    private static PolicyProblem of(int index, String key, String message) {
        return new PolicyProblem(PolicyKeys.POLICIES + "[" + index + "]." + key, message);
    }

    /** Returns the first hundred problems, and the remark that there are more; the same list if there are not. */
    public static List<PolicyProblem> first(List<PolicyProblem> problems) {
        if (problems.size() <= DocumentLimits.MOST_PROBLEMS) {
            return problems;
        }
        List<PolicyProblem> first = new ArrayList<>(problems.subList(0, DocumentLimits.MOST_PROBLEMS));
        first.add(new PolicyProblem(
                PolicyKeys.ROOT,
                "more than " + DocumentLimits.MOST_PROBLEMS + " problems; mend these, then the next are shown"));
        return List.copyOf(first);
    }

    @Override
    public String toString() {
        return path + ": " + message;
    }
}
