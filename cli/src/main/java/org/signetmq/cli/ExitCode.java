/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

/** What a command tells the shell. The table in {@code docs/cli.md} is the contract. */
final class ExitCode {
    static final int OK = 0;
    /** A negative answer, or something failed. */
    static final int FAILURE = 1;
    /** The command line is wrong. */
    static final int USAGE = 2;
    /** Configuration or key store cannot be used. */
    static final int CONFIGURATION = 3;
    /** No connection to the broker. */
    static final int BROKER = 4;
    /** The plugin protects messages, but refuses those of some policies, or did not take the policy file. */
    static final int DEGRADED = 5;
    /** A defect in Signet. */
    static final int BUG = 70;

    private ExitCode() {}
}
