/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.io.IOException;
import java.util.List;
import org.signetmq.cli.console.CliException;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;

/** A place where policies live: the file of a home, or a running broker. Not thread-safe. */
public interface PolicyTarget {
    /** Returns the place for messages. */
    String name();

    /** Returns what stands before the policies. It costs one question, however many policies there are. */
    PolicyHead head() throws IOException;

    /** Returns the policies in force. */
    PolicySet read() throws IOException;

    /** Returns the change that made the policies in force. */
    LastChange lastChange() throws IOException;

    /**
     * Returns the changes that made the policies in force, and the former ones that a broker keeps, the newest first.
     *
     * @throws CliException if the place keeps none
     */
    List<LastChange> history() throws IOException;

    /**
     * Returns the former policies with this version.
     *
     * @throws CliException if the place does not keep them
     */
    PolicySet former(long version) throws IOException;

    /** Explains which policy applies to an address. */
    Explanation explain(String address) throws IOException;

    /**
     * Makes a change.
     *
     * @param seen the version that the caller saw; no other is changed
     * @throws InvalidPolicyException if the change is rejected; with all of its problems
     * @throws CliException if there is another version by now, or the place takes no changes
     */
    Applied apply(PolicyChange change, long seen) throws IOException;

    /**
     * Puts policies in place of lost ones.
     *
     * @throws CliException if none are lost
     */
    Applied restore(PolicySet policies) throws IOException;

    /** Judges a change as {@link #apply} does, and changes nothing. */
    Applied judge(PolicyChange change, long seen) throws IOException;
}
