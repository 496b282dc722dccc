/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

/** The exit codes of commands. The table in {@code docs/cli.md} is the contract. */
public final class ExitCode {
    public static final int OK = 0;
    public static final int FAILURE = 1; // or a negative answer
    public static final int USAGE = 2; // the command line is wrong
    public static final int CONFIGURATION = 3; // configuration or key store cannot be used
    public static final int BROKER = 4; // no connection to the broker
    public static final int DEGRADED = 5; // the plugin rejects messages of some policies, or the policy file
    public static final int BUG = 70; // a defect in Signet

    private ExitCode() {}
}
