/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.util.stream.Stream;
import org.signetmq.cli.command.broker.BrokerInstall;
import org.signetmq.cli.command.broker.BrokerStatus;
import org.signetmq.cli.command.broker.BrokerUninstall;
import org.signetmq.cli.command.doctor.DoctorCommands;
import org.signetmq.cli.command.identity.IdentityCommands;
import org.signetmq.cli.command.message.MessageCommands;
import org.signetmq.cli.command.policy.PolicyCommands;
import org.signetmq.cli.command.policy.PolicySetCommand;
import org.signetmq.cli.command.queue.QueueBrowse;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.GlobalOptions;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.demo.DemoCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ScopeType;

/** The command {@code signet} with all its commands. */
@Command(
        name = "signet",
        description = "Protects messages on Apache Artemis: signs, encrypts, or both, per address.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = SignetCommand.Version.class,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet demo",
            "  signet identity create broker --dn CN=broker,O=Example",
            "  signet policy set orders.# --quality privacy --recipient alice",
            "",
            "Benchmarks are a command of their own: signet perf --help",
        })
final class SignetCommand extends CommandGroup {
    @Mixin
    final GlobalOptions options;

    private SignetCommand(GlobalOptions options) {
        this.options = options;
    }

    /** Returns the whole command line, ready to execute in a context. */
    static CommandLine in(CommandContext context) {
        CommandLine signet = new CommandLine(new SignetCommand(context.options()), new IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                K created = CommandLine.defaultFactory().create(type);
                if (created instanceof Subcommand command) {
                    command.runIn(context);
                }
                return created;
            }
        });
        signet.addSubcommand(DemoCommand.class);
        addGroup(
                signet,
                "identity",
                "Creates and shows identities.",
                IdentityCommands.Create.class,
                IdentityCommands.Listing.class,
                IdentityCommands.Show.class,
                IdentityCommands.Export.class);
        addGroup(
                signet,
                "policy",
                "Says what messages on which addresses must carry.",
                PolicySetCommand.class,
                PolicyCommands.Listing.class,
                PolicyCommands.Show.class,
                PolicyCommands.Remove.class,
                PolicyCommands.Explain.class,
                PolicyCommands.Unmatched.class,
                PolicyCommands.Wildcards.class);
        addGroup(
                signet,
                "message",
                "Seals, opens and inspects single messages.",
                MessageCommands.Seal.class,
                MessageCommands.Open.class,
                MessageCommands.Inspect.class);
        addGroup(
                signet,
                "broker",
                "Puts the plugin into a broker, and shows how it fares there.",
                BrokerInstall.class,
                BrokerUninstall.class,
                BrokerStatus.class);
        addGroup(signet, "queue", "Looks at messages on queues.", QueueBrowse.class);
        addGroup(
                signet,
                "doctor",
                "Looks at this machine and at a home, and says how Signet does there.",
                DoctorCommands.Crypto.class,
                DoctorCommands.HomeCheck.class);
        CommandLine completion = new CommandLine(new AutoComplete.GenerateCompletion());
        completion.getCommandSpec().usageMessage().hidden(true);
        return signet.addSubcommand(completion);
    }

    /** Adds commands of one subject. The examples of the group are the first ones of its commands. */
    private static void addGroup(CommandLine signet, String name, String description, Class<?>... commands) {
        CommandLine group = new CommandLine(new Subjects(), signet.getFactory());
        signet.addSubcommand(name, group);
        Stream.of(commands).forEach(group::addSubcommand);
        group.getCommandSpec()
                .usageMessage()
                .description(description)
                .footer(group.getSubcommands().values().stream()
                        .map(command -> command.getCommandSpec().usageMessage().footer()[0])
                        .toArray(String[]::new));
    }

    @Command
    private static final class Subjects extends CommandGroup {}

    /** The version that the jar's manifest states. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = SignetCommand.class.getPackage().getImplementationVersion();
            return new String[] {"signet " + (version == null ? "(not packaged)" : version)};
        }
    }
}
