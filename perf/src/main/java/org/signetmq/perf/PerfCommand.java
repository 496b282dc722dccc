/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import org.signetmq.perf.keys.KeysCommand;
import org.signetmq.perf.micro.MicroCommand;
import org.signetmq.perf.report.ReportCommand;
import org.signetmq.perf.rr.RoundTripCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code signet perf}. */
@Command(
        name = "signet perf",
        description = "Measures Signet, beside the primitives inside it and beside its peers.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {MicroCommand.class, KeysCommand.class, RoundTripCommand.class, ReportCommand.class})
public final class PerfCommand {
    private PerfCommand() {}

    /** Runs a measurement; the exit code says whether all of it ran. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new PerfCommand())
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure))
                .execute(arguments));
    }

    private static int failed(Exception failure) {
        System.err.println("signet: error: " + failure.getMessage());
        return CommandLine.ExitCode.SOFTWARE;
    }
}
