/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.List;
import java.util.stream.Collectors;

/** Policies that cannot work, with every problem found in them. */
public final class InvalidPolicyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<PolicyProblem> problems;

    public InvalidPolicyException(List<PolicyProblem> problems) {
        super(problems.stream().map(PolicyProblem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    /** Every problem, in the order of the document. */
    public List<PolicyProblem> problems() {
        return problems;
    }
}
