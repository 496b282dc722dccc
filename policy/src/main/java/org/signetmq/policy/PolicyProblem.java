/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;

/**
 * One problem of a policy.
 *
 * @param path the place as a JSON path, such as {@code policies[2].key-reuse}
 * @param message the problem, the value found and the remedy
 */
public record PolicyProblem(String path, String message) {
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
