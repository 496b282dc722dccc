/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicyTarget.LastChange;
import org.signetmq.cli.command.policy.PolicyText.DifferenceText;
import org.signetmq.cli.command.policy.TargetOptions.Targets;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.OutputOptions;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.console.TextTable;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.PolicySet.PolicyExplanation;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyDifference;
import org.signetmq.policy.file.PolicyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The commands {@code signet policy}; here are those that show policies. */
@Command(
        name = "policy",
        description = "Says what messages on which addresses must carry: in the home, or in running brokers.")
public final class PolicyCommands extends Subcommand {
    static final String LISTED = "An address or pattern, as in signet policy list.";

    @Override
    public List<Class<?>> commands() {
        return List.of(
                PolicySetCommand.class,
                Listing.class,
                Show.class,
                PolicyChanges.Remove.class,
                PolicyChanges.AddRecipient.class,
                PolicyChanges.RemoveRecipient.class,
                PolicyChanges.AddSigner.class,
                PolicyChanges.RemoveSigner.class,
                Explain.class,
                PolicyChanges.Default.class,
                PolicyChanges.Recovery.class,
                PolicyChanges.Wildcards.class,
                Export.class,
                PolicyImportCommand.class,
                PolicySignCommand.class,
                Diff.class,
                History.class,
                PolicyChanges.Rollback.class);
    }

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

        @Override
        public Integer call() throws IOException {
            return targets.existing(context).only(this::list);
        }

        private int list(PolicyTarget target) throws IOException {
            PolicySet policies = target.read();
            if (json) {
                report(Json.parse(PolicyFile.format(policies)), List::of);
                return ExitCode.OK;
            }
            String others = PolicyText.otherAddresses(policies);
            if (policies.policies().isEmpty()) {
                context.say(target.name() + " has no policies; " + others);
                return ExitCode.OK;
            }
            String maker = target.lastChange()
                    .filter(change -> change.version() == policies.version())
                    .map(LastChange::maker)
                    .orElse("");
            PolicyText.table(policies).forEach(context::print);
            context.say("version " + policies.version() + maker + "; " + others);
            if (!policies.recovery().isEmpty()) {
                context.say("recovery: " + PolicyText.names(policies.recovery()));
            }
            if (!policies.wildcards().equals(WildcardSyntax.DEFAULT)) {
                context.say("wildcards: " + policies.wildcards().describe());
            }
            return ExitCode.OK;
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
            PolicySet alone = PolicySet.of(all.version(), all.settings().withCertificates(Map.of()), List.of(policy));
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
            PolicySet policies = targets.existing(context).only(PolicyTarget::read);
            PolicyExplanation found = policies.explain(address);
            Optional<Policy> policy = found.effective().map(EffectivePolicy::policy);
            List<String> recovery = policy.filter(applies -> applies.quality().encrypts())
                    .map(encrypts -> policies.recovery())
                    .orElse(List.of());
            List<String> overruled =
                    found.overruled().stream().map(Policy::pattern).toList();
            Answer answer = new Answer(
                    found.address(),
                    found.effective().map(EffectivePolicy::reference).orElse(null),
                    policy.map(applies -> applies.quality().label()).orElse(null),
                    policy.map(applies -> applies.encryption().recipients()).orElse(List.of()),
                    recovery,
                    found.reason(),
                    overruled);
            report(answer, () -> {
                LabelledLines lines = new LabelledLines(PolicyText.LABELS);
                lines.addAll(List.of(Failures.oneLine(found.address() + ": " + found.reason())));
                policy.ifPresent(applies -> lines.addAll(List.of("")).addAll(PolicyText.lines(applies, recovery)));
                return lines.add("overruled", overruled.isEmpty() ? null : PolicyText.names(overruled))
                        .lines();
            });
            return policy.isPresent() ? ExitCode.OK : ExitCode.FAILURE;
        }
    }

    /** The command {@code signet policy export}. */
    @Command(
            name = "export",
            description = "Writes all policies as a policy file, which signet policy import takes.",
            footer = {
                "  signet policy export --out policies-backup.json",
                "  signet policy export --broker tcp://localhost:61616 --user admin --out production.json",
            })
    static final class Export extends Subcommand {
        @Mixin
        private final TargetOptions targets = new TargetOptions();

        @Mixin
        private final OutputOptions output = new OutputOptions();

        @Override
        public Integer call() throws IOException {
            output.check(context);
            byte[] content = PolicyFile.bytes(targets.existing(context).only(PolicyTarget::read));
            output.write(context, out -> out.write(content));
            return ExitCode.OK;
        }
    }

    /** The command {@code signet policy diff}. */
    @Command(
            name = "diff",
            description =
                    "Compares the policies in force with those of a file, or those of two brokers. The version does not "
                            + "count. Exits 1 if they differ.",
            footer = {
                "  signet policy diff policies-backup.json",
                "  signet policy diff production.json --broker tcp://localhost:61616 --user admin --json",
                "  signet policy diff --broker tcp://a:61616 --broker tcp://b:61616 --user admin",
            })
    static final class Diff extends ReportingCommand {
        @Parameters(
                arity = "0..1",
                paramLabel = "FILE",
                description = "A policy file, which would come after those in force; - is standard input.")
        private @Nullable Path file;

        @Mixin
        private final TargetOptions targets = new TargetOptions();

        @Override
        public Integer call() throws IOException {
            PolicyDifference difference = difference(targets.existing(context));
            report(DifferenceText.answer(difference), () -> DifferenceText.lines(difference));
            if (difference.isEmpty() && !json) {
                context.say("no difference");
            }
            return difference.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
        }

        private PolicyDifference difference(Targets places) throws IOException {
            if (file != null) {
                PolicySet after = PolicyImportCommand.policies(file, context);
                return PolicyDifference.between(places.only(PolicyTarget::read), after);
            }
            List<PolicySet> both = places.atTwo(PolicyTarget::read);
            if (both.isEmpty()) {
                throw usage("diff: name a FILE, or two brokers");
            }
            return PolicyDifference.between(both.get(0), both.get(1));
        }
    }

    /** The command {@code signet policy history}. */
    @Command(
            name = "history",
            description =
                    "Lists the policies in force at a broker and the former ones that it keeps: the last 20 sets.",
            footer = "  signet policy history --broker tcp://localhost:61616 --user admin")
    static final class History extends ReportingCommand {
        @Mixin
        private final TargetOptions targets = new TargetOptions();

        private record Kept(List<LastChange> history) {}

        @Override
        public Integer call() throws IOException {
            List<LastChange> history = targets.existing(context).only(PolicyTarget::history);
            report(new Kept(history), () -> {
                TextTable table = TextTable.of("VERSION", "SINCE", "BY", "FROM");
                history.forEach(set -> table.row(set.version(), set.at(), set.by(), set.from()));
                return table.lines();
            });
            return ExitCode.OK;
        }
    }
}
