/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The limits of policies and of their document. A set within the limits takes a few hundred MiB at most. */
final class DocumentLimits {
    /** The longest document, in bytes of a file or characters of a text. */
    static final int LONGEST = 48 << 20;

    static final int MOST_POLICIES = 200_000;

    /** The most recipients, signers or brokers of one policy. */
    static final int MOST_NAMES = 10_000;

    /** The longest pattern and the longest name, in characters. A distinguished name cannot be longer. */
    static final int LONGEST_TEXT = 2048;

    /** The most problems that are reported. A reader stops there. */
    static final int MOST_PROBLEMS = 100;

    private DocumentLimits() {}

    /** Returns the reason why this number of policies is too large; empty if it is not. */
    static Optional<String> problemWithCount(int policies) {
        return policies <= MOST_POLICIES
                ? Optional.empty()
                : Optional.of("more than " + MOST_POLICIES + " policies; take wildcards to name fewer");
    }

    /** Returns the reason why a list of this many names is too long; empty if it is not. */
    static Optional<String> problemWithNames(int names) {
        return names <= MOST_NAMES
                ? Optional.empty()
                : Optional.of("more than " + MOST_NAMES + " names, found " + names + "; name fewer");
    }

    /** Returns the reason why a pattern or name is too long; empty if it is not. */
    static Optional<String> problemWithLength(String text) {
        return text.length() <= LONGEST_TEXT
                ? Optional.empty()
                : Optional.of("longer than " + LONGEST_TEXT + " characters, found " + Quoted.text(text)
                        + "; write a shorter one");
    }

    /** Returns the problems of a policy with too many or too long names. */
    static List<PolicyProblem> problemsWithNames(Policy policy, String path) {
        List<PolicyProblem> problems = new ArrayList<>();
        checkNames(policy.signing().signers(), path + "." + PolicyKeys.SIGNERS, problems);
        checkNames(policy.signing().brokers(), path + "." + PolicyKeys.BROKERS, problems);
        checkNames(policy.encryption().recipients(), path + "." + PolicyKeys.RECIPIENTS, problems);
        return problems;
    }

    private static void checkNames(List<String> names, String path, List<PolicyProblem> problems) {
        problemWithNames(names.size())
                .or(() -> names.stream()
                        .flatMap(name -> problemWithLength(name).stream())
                        .findFirst())
                .ifPresent(message -> problems.add(new PolicyProblem(path, message)));
    }

    /** Returns the first problems, and the remark that there are more. */
    static List<PolicyProblem> bounded(List<PolicyProblem> problems) {
        if (problems.size() <= MOST_PROBLEMS) {
            return problems;
        }
        List<PolicyProblem> first = new ArrayList<>(problems.subList(0, MOST_PROBLEMS));
        first.add(new PolicyProblem(
                JsonText.ROOT, "more than " + MOST_PROBLEMS + " problems; mend these, then the next are shown"));
        return first;
    }
}
