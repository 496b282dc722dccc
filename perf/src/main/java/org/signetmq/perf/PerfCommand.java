/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import org.signetmq.perf.process.Requests;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code signet perf}. */
@Command(
        name = "signet perf",
        description = "Measures Signet, beside the primitives inside it and beside its peers.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ExperimentCommand.Micro.class,
            ExperimentCommand.Keys.class,
            ExperimentCommand.Digest.class,
            ExperimentCommand.RoundTrips.class,
            ExperimentCommand.Proof.class,
            ExperimentCommand.PostQuantum.class,
            ExperimentCommand.Figure.class,
            ExperimentCommand.Tls.class,
            ExperimentCommand.Mailbox.class,
            ExperimentCommand.Filesystem.class,
            ReportCommand.class
        })
public final class PerfCommand {
    private PerfCommand() {}

    /** Runs a measurement; the exit code says whether all of it ran. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** With the messages and exit codes of the command line tool: 1 if something failed, 2 if the command is wrong. */
    static CommandLine commandLine() {
        return new CommandLine(new PerfCommand())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    System.err.println("signet: error: " + Requests.reason(failure));
                    return ExitCode.SOFTWARE;
                })
                .setParameterExceptionHandler((failure, arguments) -> {
                    System.err.println("signet: error: " + Requests.reason(failure));
                    System.err.println("signet: hint: see "
                            + failure.getCommandLine().getCommandSpec().qualifiedName() + " --help");
                    return ExitCode.USAGE;
                });
    }
}
