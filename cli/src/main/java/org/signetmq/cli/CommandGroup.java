/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands of one subject, as {@code signet identity}. By itself it does nothing but show their help. */
@Command
final class CommandGroup implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private CommandGroup() {}

    /** Puts a group into the command line. Its examples are the first ones of its commands. */
    static void addTo(CommandLine signet, String name, String description, Object... commands) {
        CommandLine group = new CommandLine(new CommandGroup());
        signet.addSubcommand(name, group);
        Stream.of(commands).forEach(group::addSubcommand);
        group.getCommandSpec()
                .usageMessage()
                .description(description)
                .footer(group.getSubcommands().values().stream()
                        .map(command -> command.getCommandSpec().usageMessage().footer()[0])
                        .toArray(String[]::new));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), spec.name() + ": no command given");
    }
}
