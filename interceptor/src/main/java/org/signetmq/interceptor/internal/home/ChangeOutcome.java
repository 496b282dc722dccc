/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.util.List;
import java.util.Optional;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;

/** The outcome of a request to change the policies. Immutable. */
public sealed interface ChangeOutcome {
    /**
     * The change was made, or would be made.
     *
     * @param purpose whether it was made or judged
     * @param before the policies before
     * @param now the policies after
     * @param warnings advice for the administrator
     */
    record Accepted(PolicyRequest.Purpose purpose, PolicySet before, PolicySet now, List<String> warnings)
            implements ChangeOutcome {
        public Accepted {
            warnings = List.copyOf(warnings);
        }
    }

    /** The policies in force are already as wanted. */
    record Unchanged(long version) implements ChangeOutcome {}

    /** The wanted policies are invalid, and nothing was changed. */
    record Rejected(long version, List<PolicyProblem> problems) implements ChangeOutcome {
        public Rejected {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Another change came first, and nothing was changed.
     *
     * @param version the version in force
     * @param change the origin of that version; empty if it is unknown
     */
    record Stale(long version, Optional<ChangeOrigin> change) implements ChangeOutcome {}

    /** This broker does not take changes now, and nothing was changed. */
    record Refused(long version, String reason) implements ChangeOutcome {}
}
