/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.signetmq.policy.internal.match.PatternVariables.Variables;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.text.Quoted;

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
        addProblemsWithRecovery(settings.recovery(), problems);
        DocumentLimits.problemWithCount(policies.size())
                .ifPresent(message -> problems.add(new PolicyProblem(PolicyKeys.POLICIES, message)));
        Map<String, Integer> firsts = new HashMap<>();
        for (int i = 0; i < policies.size() && problems.size() <= DocumentLimits.MOST_PROBLEMS; i++) {
            int index = i;
            String pattern = policies.get(i).pattern();
            syntax.problemWithPattern(pattern)
                    .or(() -> DocumentLimits.problemWithSecond(syntax.plain(pattern), index, firsts))
                    .ifPresent(message -> problems.add(of(index, PolicyKeys.PATTERN, message)));
            policies.get(i)
                    .problemsWithNames(settings.recovery(), syntax.variablesOf(pattern))
                    .forEach((key, message) -> problems.add(of(index, key, message)));
        }
        return problems;
    }

    private static void addProblemsWithRecovery(List<String> names, List<PolicyProblem> problems) {
        DocumentLimits.problemWithRecovery(names.size())
                .ifPresent(message -> problems.add(new PolicyProblem(PolicyKeys.RECOVERY, message)));
        for (int i = 0; i < Math.min(names.size(), DocumentLimits.MOST_RECOVERY); i++) {
            String path = PolicyKeys.RECOVERY + "[" + i + "]";
            problemWithRecovery(names, i).ifPresent(message -> problems.add(new PolicyProblem(path, message)));
        }
    }

    private static Optional<String> problemWithRecovery(List<String> names, int index) {
        String name = names.get(index);
        if (name.isBlank()) {
            return Optional.of("not a name, found " + Quoted.text(name)
                    + "; write a name, a distinguished name or a key identifier");
        }
        if (Variables.areIn(name)) {
            return Optional.of("a variable, found " + Quoted.text(name)
                    + "; a recovery recipient is the same for all addresses: name it");
        }
        if (names.indexOf(name) < index) {
            return Optional.of("named before, found " + Quoted.text(name) + "; remove one of them");
        }
        return DocumentLimits.problemWithLength(name);
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
