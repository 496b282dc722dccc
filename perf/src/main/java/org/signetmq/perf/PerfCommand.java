/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import org.signetmq.perf.digest.DigestCommand;
import org.signetmq.perf.figure.FigureCommand;
import org.signetmq.perf.figure.TlsCommand;
import org.signetmq.perf.filesystem.FilesystemCommand;
import org.signetmq.perf.keys.KeysCommand;
import org.signetmq.perf.mailbox.MailboxCommand;
import org.signetmq.perf.micro.MicroCommand;
import org.signetmq.perf.report.ReportCommand;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.rr.RoundTripCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;

/** {@code signet perf}. */
@Command(
        name = "signet perf",
        description = "Measures Signet, beside the primitives inside it and beside its peers.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            MicroCommand.class,
            KeysCommand.class,
            DigestCommand.class,
            RoundTripCommand.class,
            FigureCommand.class,
            TlsCommand.class,
            MailboxCommand.class,
            FilesystemCommand.class,
            ReportCommand.class
        })
public final class PerfCommand {
    private PerfCommand() {}

    /** Runs a measurement; the exit code says whether all of it ran. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** With the messages and exit codes of the command line tool: 1 if something failed, 2 if the command is wrong. */
    public static CommandLine commandLine() {
        return new CommandLine(new PerfCommand())
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure))
                .setParameterExceptionHandler((failure, arguments) -> misused(failure));
    }

    private static int failed(Exception failure) {
        System.err.println("signet: error: " + Parts.reason(failure));
        return ExitCode.SOFTWARE;
    }

    private static int misused(ParameterException failure) {
        System.err.println("signet: error: " + Parts.reason(failure));
        System.err.println(
                "signet: hint: see " + failure.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }
}
