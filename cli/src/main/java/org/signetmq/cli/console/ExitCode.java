/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

/** The exit codes of commands. The table in {@code docs/cli.md} is the contract. */
public final class ExitCode {
    public static final int OK = 0;
    /** A negative answer, or a failure. */
    public static final int FAILURE = 1;
    /** The command line is wrong. */
    public static final int USAGE = 2;
    /** Configuration or key store cannot be used. */
    public static final int CONFIGURATION = 3;
    /** No connection to the broker. */
    public static final int BROKER = 4;
    /** The plugin protects messages, but rejects those of some policies, or did not take the policy file. */
    public static final int DEGRADED = 5;
    /** A defect in Signet. */
    public static final int BUG = 70;

    private ExitCode() {}
}
