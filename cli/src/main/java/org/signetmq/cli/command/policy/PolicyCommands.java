/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.access.Explanation;
import org.signetmq.cli.command.policy.access.LastChange;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.command.policy.access.TargetOptions;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The commands {@code signet policy}; here are those that show policies. */
@Command(
        name = "policy",
        description = "Says what messages on which addresses must carry: in the home, or in running brokers.",
        subcommands = {
            PolicySetCommand.class,
            PolicyCommands.Listing.class,
            PolicyCommands.Show.class,
            PolicyRemoveCommand.class,
            PolicyPartyCommands.AddRecipient.class,
            PolicyPartyCommands.RemoveRecipient.class,
            PolicyPartyCommands.AddSigner.class,
            PolicyPartyCommands.RemoveSigner.class,
            PolicyCommands.Explain.class,
            PolicyDefaultCommand.class,
            PolicyRecoveryCommand.class,
            PolicyWildcardsCommand.class,
            PolicyExportCommand.class,
            PolicyImportCommand.class,
            PolicyDiffCommand.class,
            PolicyHistoryCommands.History.class,
            PolicyHistoryCommands.Back.class,
        })
public final class PolicyCommands extends Subcommand {
    static final String LISTED = "An address or pattern, as in signet policy list.";

    /** The command {@code signet policy list}. */
    @Command(
            name = "list",
            description = "Lists the policies of the home, or of a running broker.",
            footer = {
                "  signet policy list",
                "  signet policy list --json",
                "  signet policy list --broker tcp://localhost:61616 --user admin",
            })
    static final class Listing extends ReportingCommand {
        @Mixin
        private final TargetOptions targets = new TargetOptions();

        private record Listed(
                String place, PolicySet policies, @Nullable LastChange change) {}

        @Override
        public Integer call() throws IOException {
            Listed answer = targets.existing(context).only(this::listed);
            PolicySet policies = answer.policies();
            String others = PolicyText.otherAddresses(policies);
            if (policies.policies().isEmpty() && !json) {
                context.say(answer.place() + " has no policies; " + others);
                return ExitCode.OK;
            }
            report(Json.parse(PolicyFile.format(policies)), () -> PolicyText.table(policies));
            if (!json) {
                context.say("version " + policies.version()
                        + (answer.change() == null ? "" : answer.change().maker()) + "; " + others);
                if (!policies.recovery().isEmpty()) {
                    context.say("recovery: " + PolicyText.names(policies.recovery()));
                }
                if (!policies.wildcards().equals(WildcardSyntax.DEFAULT)) {
                    context.say("wildcards: " + policies.wildcards().describe());
                }
            }
            return ExitCode.OK;
        }

        private Listed listed(PolicyTarget target) throws IOException {
            PolicySet policies = target.read();
            LastChange change = targets.isBroker(context) && !json ? target.lastChange() : null;
            boolean isOfThese = change != null && change.version() == policies.version();
            return new Listed(target.name(), policies, isOfThese ? change : null);
        }
    }

    /** The command {@code signet policy show}. */
    @Command(
            name = "show",
            description = "Shows the policy that was set for exactly this address or pattern.",
            footer = {"  signet policy show orders.#", "  signet policy show orders.# --json"})
    static final class Show extends ReportingCommand {
        @Parameters(paramLabel = "ADDRESS", description = LISTED)
        private String address = "";

        @Mixin
        private final TargetOptions targets = new TargetOptions();

        @Override
        public Integer call() throws IOException {
            PolicySet all = targets.existing(context).only(PolicyTarget::read);
            Policy policy = PolicyStore.exactly(address, all);
            PolicySet alone = PolicySet.of(all.version(), all.settings(), List.of(policy));
            report(
                    Json.parse(PolicyFile.format(alone)),
                    () -> PolicyText.lines(policy, policy.quality().encrypts() ? all.recovery() : List.of()));
            return ExitCode.OK;
        }
    }

    /** The command {@code signet policy explain}. */
    @Command(
            name = "explain",
            description = "Says which policy applies to an address, and why. Exits 1 if none does.",
            footer = {
                "  signet policy explain orders.eu.paris",
                "  signet policy explain orders.eu.paris --json",
                "  signet policy explain orders.eu.paris --broker tcp://localhost:61616 --user admin",
            })
    static final class Explain extends ReportingCommand {
        @Parameters(paramLabel = "ADDRESS", description = "An address; need not exist in a broker.")
        private String address = "";

        @Mixin
        private final TargetOptions targets = new TargetOptions();

        private record Answer(
                String address,
                @Nullable String policy,
                @Nullable String quality,
                List<String> recipients,
                List<String> recovery,
                String reason,
                List<String> overruled) {}

        @Override
        public Integer call() throws IOException {
            Explanation found = targets.existing(context).only(target -> target.explain(address));
            Answer answer = new Answer(
                    found.address(),
                    found.reference().orElse(null),
                    found.policy().map(policy -> policy.quality().label()).orElse(null),
                    found.policy()
                            .map(policy -> policy.encryption().recipients())
                            .orElse(List.of()),
                    found.recovery(),
                    found.reason(),
                    found.overruled());
            report(answer, () -> lines(found));
            return found.policy().isPresent() ? ExitCode.OK : ExitCode.FAILURE;
        }

        private static List<String> lines(Explanation found) {
            LabelledLines lines = new LabelledLines(PolicyText.LABELS);
            lines.addAll(List.of(Failures.oneLine(found.address() + ": " + found.reason())));
            found.policy()
                    .ifPresent(policy -> lines.addAll(List.of("")).addAll(PolicyText.lines(policy, found.recovery())));
            return lines.add("overruled", found.overruled().isEmpty() ? null : String.join("; ", found.overruled()))
                    .lines();
        }
    }
}
