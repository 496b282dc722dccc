/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

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

    /** The whole command line, ready to execute in this session. */
    static CommandLine in(Session session) {
        CommandLine signet = new CommandLine(new SignetCommand(session.options()));
        signet.addSubcommand(new DemoCommand(session));
        CommandGroup.addTo(
                signet,
                "identity",
                "Creates and shows identities.",
                new IdentityCreate(session),
                new IdentityList(session),
                new IdentityShow(session),
                new IdentityExport(session));
        CommandGroup.addTo(
                signet,
                "policy",
                "Says what messages on which addresses must carry.",
                new PolicySetCommand(session),
                new PolicyList(session),
                new PolicyShow(session),
                new PolicyRemove(session),
                new PolicyExplain(session),
                new PolicyUnmatched(session),
                new PolicyWildcards(session));
        CommandGroup.addTo(
                signet,
                "message",
                "Seals, opens and inspects single messages.",
                new MessageSeal(session),
                new MessageOpen(session),
                new MessageInspect(session));
        CommandGroup.addTo(
                signet,
                "broker",
                "Puts the plugin into a broker, and shows how it fares there.",
                new BrokerInstall(session),
                new BrokerUninstall(session),
                new BrokerStatus(session));
        CommandGroup.addTo(signet, "queue", "Looks at messages on queues.", new QueueBrowse(session));
        CommandGroup.addTo(
                signet,
                "doctor",
                "Looks at this machine and at a home, and says how Signet does there.",
                new DoctorCrypto(session),
                new DoctorHome(session));
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
