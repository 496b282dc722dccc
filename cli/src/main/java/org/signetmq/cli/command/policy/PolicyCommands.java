/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyExplanation;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code signet policy}; {@code set} has a class of its own. */
@Command(
        name = "policy",
        description = "Says what messages on which addresses must carry.",
        subcommands = {
            PolicySetCommand.class,
            PolicyCommands.Listing.class,
            PolicyCommands.Show.class,
            PolicyCommands.Remove.class,
            PolicyCommands.Explain.class,
            PolicyCommands.Unmatched.class,
            PolicyCommands.Wildcards.class,
        })
public final class PolicyCommands extends Subcommand {
    private static final String LISTED = "An address or pattern, as in signet policy list.";

    /** The command {@code signet policy list}. */
    @Command(
            name = "list",
            description = "Lists the policies of the home.",
            footer = {"  signet policy list", "  signet policy list --json"})
    static final class Listing extends ReportingCommand {
        @Override
        public Integer call() throws IOException {
            Home home = context.existingHome();
            PolicySet policies = new PolicyStore(home).read();
            String others = PolicyText.otherAddresses(policies);
            if (policies.policies().isEmpty() && !json) {
                context.say(home.root() + " has no policies; " + others);
                return ExitCode.OK;
            }
            report(Json.parse(PolicyFile.format(policies)), () -> PolicyText.table(policies));
            if (!json) {
                context.say("version " + policies.version() + "; " + others);
                if (!policies.wildcards().equals(WildcardSyntax.DEFAULT)) {
                    context.say("wildcards: " + policies.wildcards().describe());
                }
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

        @Override
        public Integer call() throws IOException {
            PolicySet all = new PolicyStore(context.existingHome()).read();
            Policy policy = PolicyStore.exactly(address, all);
            PolicySet alone = PolicySet.of(all.version(), all.unmatched(), all.wildcards(), List.of(policy));
            report(Json.parse(PolicyFile.format(alone)), () -> PolicyText.lines(policy));
            return ExitCode.OK;
        }
    }

    /** The command {@code signet policy remove}. */
    @Command(
            name = "remove",
            description = "Removes the policy that was set for exactly this address or pattern.",
            footer = "  signet policy remove orders.#")
    static final class Remove extends Subcommand {
        @Parameters(paramLabel = "ADDRESS", description = LISTED)
        private String address = "";

        @Override
        public Integer call() throws IOException {
            PolicyStore store = new PolicyStore(context.existingHome());
            PolicyStore.exactly(address, store.read()); // before a file or folder is made for nothing
            PolicySet now = store.change(policies -> {
                PolicyStore.exactly(address, policies);
                return policies.without(address);
            });
            context.print(address + ": removed, " + PolicyStore.step(now));
            return ExitCode.OK;
        }
    }

    /** The command {@code signet policy explain}. */
    @Command(
            name = "explain",
            description = "Says which policy applies to an address, and why. Exits 1 if none does.",
            footer = {"  signet policy explain orders.eu.paris", "  signet policy explain orders.eu.paris --json"})
    static final class Explain extends ReportingCommand {
        @Parameters(paramLabel = "ADDRESS", description = "An address; need not exist in a broker.")
        private String address = "";

        private record Answer(
                String address,
                @Nullable String policy,
                @Nullable String quality,
                String reason,
                List<String> overruled) {}

        @Override
        public Integer call() throws IOException {
            PolicyExplanation explanation =
                    new PolicyStore(context.existingHome()).read().explain(address);
            Optional<Policy> policy = explanation.effective().map(EffectivePolicy::policy);
            Answer answer = new Answer(
                    explanation.address(),
                    explanation.effective().map(EffectivePolicy::reference).orElse(null),
                    policy.map(found -> found.quality().label()).orElse(null),
                    explanation.reason(),
                    explanation.overruled().stream().map(Policy::pattern).toList());
            report(answer, () -> lines(answer, policy));
            return policy.isPresent() ? ExitCode.OK : ExitCode.FAILURE;
        }

        private static List<String> lines(Answer answer, Optional<Policy> policy) {
            LabelledLines lines = new LabelledLines(PolicyText.LABELS);
            lines.addAll(List.of(answer.address + ": " + answer.reason));
            policy.ifPresent(found -> lines.addAll(List.of("")).addAll(PolicyText.lines(found)));
            return lines.add("overruled", answer.overruled.isEmpty() ? null : String.join("; ", answer.overruled))
                    .lines();
        }
    }

    /** The command {@code signet policy unmatched}. */
    @Command(
            name = "unmatched",
            description =
                    "Sets what happens to messages of addresses without a policy: they pass as they are, or brokers and "
                            + "consumers reject them. Without an argument it shows what is set.",
            footer = {
                "  signet policy unmatched",
                "  signet policy unmatched reject",
                "  signet policy unmatched pass --json",
            })
    static final class Unmatched extends ReportingCommand {
        private @Nullable UnmatchedAddress wanted;

        private record Result(String unmatched, long version, boolean changed) {}

        @Parameters(
                arity = "0..1",
                paramLabel = "pass|reject",
                description = "What happens to these messages; pass at first. reject also rejects temporary\n"
                        + "queues, unless a policy for # covers them.")
        void wanted(String label) {
            wanted = Stream.of(UnmatchedAddress.values())
                    .filter(rule -> rule.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> usage("Invalid value for positional parameter at index 0 (pass|reject): "
                            + "must be pass or reject, found '" + label + "'"));
        }

        @Override
        public Integer call() throws IOException {
            PolicyStore store = new PolicyStore(wanted == null ? context.existingHome() : context.home());
            PolicySet before = store.read();
            UnmatchedAddress rule = wanted == null ? before.unmatched() : wanted;
            boolean changed = rule != before.unmatched();
            PolicySet now = changed ? store.change(policies -> policies.with(rule)) : before;
            String unchanged = wanted == null ? "" : ", nothing to do";
            String line = "unmatched: " + rule.label() + (changed ? ", " + PolicyStore.step(now) : unchanged);
            report(new Result(rule.label(), now.version(), changed), () -> List.of(line));
            if (wanted == UnmatchedAddress.REJECT && now.policies().isEmpty()) {
                context.warn("the home has no policies: all messages are rejected; signet policy set adds one");
            }
            return ExitCode.OK;
        }
    }

    /** The command {@code signet policy wildcards}. */
    @Command(
            name = "wildcards",
            description = "Sets in which wildcards the patterns of the home are written: those of <wildcard-addresses> "
                    + "in broker.xml. Without options it shows them.",
            footer = {"  signet policy wildcards", "  signet policy wildcards --delimiter / --single-word +"})
    static final class Wildcards extends Subcommand {
        @Option(names = "--delimiter", paramLabel = "C", description = "Divides the words of an address.")
        private @Nullable String delimiter;

        @Option(names = "--any-words", paramLabel = "C", description = "Stands for any number of words.")
        private @Nullable String anyWords;

        @Option(names = "--single-word", paramLabel = "C", description = "Stands for one word.")
        private @Nullable String singleWord;

        @Override
        public Integer call() throws IOException {
            PolicyStore store = new PolicyStore(context.home());
            WildcardSyntax before = store.read().wildcards();
            WildcardSyntax wanted = changed(before);
            String change = wanted.equals(before)
                    ? ""
                    : ", " + PolicyStore.step(store.change(policies -> rewritten(policies, wanted)));
            context.print("wildcards: " + wanted.describe() + change);
            return ExitCode.OK;
        }

        private WildcardSyntax changed(WildcardSyntax before) {
            char divides = character("--delimiter", delimiter, before.delimiter());
            char any = character("--any-words", anyWords, before.anyWords());
            char single = character("--single-word", singleWord, before.singleWord());
            WildcardSyntax.problemWith(divides, any, single).ifPresent(problem -> {
                throw CliException.failure("wildcards: " + problem);
            });
            return new WildcardSyntax(divides, any, single);
        }

        private static char character(String option, @Nullable String given, char otherwise) {
            if (given != null && given.length() != 1) {
                throw CliException.failure(option + ": not one character");
            }
            return given == null ? otherwise : given.charAt(0);
        }

        private static PolicySet rewritten(PolicySet policies, WildcardSyntax wanted) {
            try {
                return policies.with(wanted);
            } catch (InvalidPolicyException e) {
                throw CliException.failure("wildcards: policies of the home do not fit, nothing was changed")
                        .details(PolicyStore.problems(e))
                        .hint("signet policy remove takes these away; set them again after")
                        .causedBy(e);
            }
        }
    }
}
