/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.keys;

import java.io.IOException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.connection.ManagementOptions;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.ReportingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet doctor keys}. */
@Command(
        name = "keys",
        description = {
            "Tells which keys the messages on a running broker need: per key the addresses, how many messages, and the oldest.",
            "Opens and changes nothing. Exits 1 if the broker could not look at all messages."
        },
        footer = {
            "  signet doctor keys --broker tcp://localhost:61616 --user anna",
            "  signet doctor keys --broker tcp://localhost:61616 --user anna --json",
        })
public final class KeysCommand extends ReportingCommand {
    @Option(
            names = "--broker",
            paramLabel = "URL",
            description = "An acceptor of the broker, such as tcp://localhost:61616; default $SIGNET_BROKER.")
    private @Nullable String broker;

    @Mixin
    private final ManagementOptions management = new ManagementOptions();

    @Override
    public Integer call() throws IOException {
        HomeKeys known = known();
        KeyUses uses = KeyUseQuery.at(management.to(broker, context), management, known.names(), context);
        KeyUseReport report = new KeyUseReport(uses, known);
        report(report.answer(), report::lines);
        return uses.isComplete() ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** An administrator of a remote broker needs no home here. */
    private HomeKeys known() throws IOException {
        boolean isMeant = context.homeOption().isPresent()
                || !context.environment("SIGNET_HOME").isEmpty()
                || Files.isDirectory(context.uncheckedHome().root());
        return isMeant ? HomeKeys.of(context.existingHome()) : HomeKeys.none();
    }
}
