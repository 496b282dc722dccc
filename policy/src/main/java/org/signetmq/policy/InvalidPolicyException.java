/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown for policies that cannot work. It lists their problems; a reader stops after the first hundred. */
public final class InvalidPolicyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<PolicyProblem> problems;

    /** Creates an exception with these problems, at least one. */
    public InvalidPolicyException(List<PolicyProblem> problems) {
        super(problems.stream().map(PolicyProblem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems, in the order of the document. */
    public List<PolicyProblem> problems() {
        return problems;
    }
}
