/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import org.signetmq.cli.command.broker.BrokerInstall;
import org.signetmq.cli.command.broker.BrokerStatus;
import org.signetmq.cli.command.broker.BrokerUninstall;
import org.signetmq.cli.command.doctor.DoctorCrypto;
import org.signetmq.cli.command.doctor.DoctorHome;
import org.signetmq.cli.command.identity.IdentityCreate;
import org.signetmq.cli.command.identity.IdentityExport;
import org.signetmq.cli.command.identity.IdentityList;
import org.signetmq.cli.command.identity.IdentityShow;
import org.signetmq.cli.command.message.MessageInspect;
import org.signetmq.cli.command.message.MessageOpen;
import org.signetmq.cli.command.message.MessageSeal;
import org.signetmq.cli.command.policy.PolicyExplain;
import org.signetmq.cli.command.policy.PolicyList;
import org.signetmq.cli.command.policy.PolicyRemove;
import org.signetmq.cli.command.policy.PolicySetCommand;
import org.signetmq.cli.command.policy.PolicyShow;
import org.signetmq.cli.command.policy.PolicyUnmatched;
import org.signetmq.cli.command.policy.PolicyWildcards;
import org.signetmq.cli.command.queue.QueueBrowse;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.GlobalOptions;
import org.signetmq.cli.demo.DemoCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code signet}. */
@Command(
        name = "signet",
        description = "Protects messages on Apache Artemis: signs, encrypts, or both, per address.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = VersionProvider.class,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet demo",
            "  signet identity create broker --dn CN=broker,O=Example",
            "  signet policy set orders.# --quality privacy --recipient alice",
            "",
            "Benchmarks are a command of their own: signet perf --help",
        })
final class SignetCommand implements Runnable {
    @Mixin
    final GlobalOptions options;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private SignetCommand(GlobalOptions options) {
        this.options = options;
    }

    /** The whole command line, ready to execute in this context. */
    static CommandLine in(CommandContext context) {
        CommandLine signet = new CommandLine(new SignetCommand(context.options()));
        signet.addSubcommand(new DemoCommand(context));
        CommandGroup.addTo(
                signet,
                "identity",
                "Creates and shows identities.",
                new IdentityCreate(context),
                new IdentityList(context),
                new IdentityShow(context),
                new IdentityExport(context));
        CommandGroup.addTo(
                signet,
                "policy",
                "Says what messages on which addresses must carry.",
                new PolicySetCommand(context),
                new PolicyList(context),
                new PolicyShow(context),
                new PolicyRemove(context),
                new PolicyExplain(context),
                new PolicyUnmatched(context),
                new PolicyWildcards(context));
        CommandGroup.addTo(
                signet,
                "message",
                "Seals, opens and inspects single messages.",
                new MessageSeal(context),
                new MessageOpen(context),
                new MessageInspect(context));
        CommandGroup.addTo(
                signet,
                "broker",
                "Puts the plugin into a broker, and shows how it fares there.",
                new BrokerInstall(context),
                new BrokerUninstall(context),
                new BrokerStatus(context));
        CommandGroup.addTo(signet, "queue", "Looks at messages on queues.", new QueueBrowse(context));
        CommandGroup.addTo(
                signet,
                "doctor",
                "Looks at this machine and at a home, and says how Signet does there.",
                new DoctorCrypto(context),
                new DoctorHome(context));
        CommandLine completion = new CommandLine(new AutoComplete.GenerateCompletion());
        completion.getCommandSpec().usageMessage().hidden(true);
        signet.addSubcommand(completion);
        return signet;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}
