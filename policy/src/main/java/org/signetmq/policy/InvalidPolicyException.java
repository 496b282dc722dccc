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

    /** Returns an exception with one problem. Both texts are those of a {@link PolicyProblem}. */
    public static InvalidPolicyException of(String path, String message) {
        return new InvalidPolicyException(List.of(new PolicyProblem(path, message)));
    }

    /** Returns the problems, in the order of the document. */
    public List<PolicyProblem> problems() {
        return problems;
    }
}
