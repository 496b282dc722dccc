/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicyTarget.Applied;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Encryption;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyDifference;
import org.signetmq.policy.file.PolicyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code signet policy} that change one thing in the policies. */
final class PolicyChanges {
    private PolicyChanges() {}

    /** The command {@code signet policy remove}. */
    @Command(
            name = "remove",
            description = "Removes the policy that was set for exactly this address or pattern.",
            footer = {
                "  signet policy remove orders.#",
                "  signet policy remove orders.# --broker tcp://localhost:61616 --user admin --dry-run",
            })
    static final class Remove extends ChangingCommand {
        @Parameters(paramLabel = "ADDRESS", description = PolicyCommands.LISTED)
        private String address = "";

        @Override
        public Integer call() throws IOException {
            change(
                    targets.existing(context),
                    "policy for '" + address + "'",
                    (before, known) ->
                            before.without(PolicyStore.exactly(address, before).pattern()),
                    (prefix, applied) -> show(prefix, address + ": removed", applied));
            return ExitCode.OK;
        }
    }

    /** The command {@code signet policy default}. Its former name is {@code unmatched}, as in policy files. */
    @Command(
            name = "default",
            aliases = "unmatched",
            description =
                    "Sets what happens to messages of addresses without a policy: they pass as they are, or brokers and "
                            + "consumers reject them. Without an argument it shows what is set.",
            footer = {
                "  signet policy default",
                "  signet policy default reject",
                "  signet policy default pass --json",
                "  signet policy default reject --broker tcp://localhost:61616 --user admin --dry-run",
            })
    static final class Default extends ChangingCommand {
        private @Nullable UnmatchedAddress wanted;

        private record Result(
                String unmatched,
                long version,
                boolean changed,
                boolean dryRun,
                @Nullable PolicyImpact impact) {}

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
            UnmatchedAddress rule = wanted;
            if (rule == null) {
                PolicySet policies = targets.existing(context).only(PolicyTarget::read);
                String label = policies.unmatched().label();
                report(new Result(label, policies.version(), false, false, null), () -> List.of("unmatched: " + label));
                return ExitCode.OK;
            }
            change(targets.any(context), "unmatched", (before, known) -> before.with(rule), (prefix, applied) -> {
                Result result = new Result(
                        rule.label(), applied.after().version(), applied.isChange(), dryRun, applied.impact());
                show(prefix, result, List.of("unmatched: " + rule.label()), applied);
                if (rule == UnmatchedAddress.REJECT
                        && applied.after().policies().isEmpty()) {
                    context.warn(prefix + (targets.isBroker(context) ? "the broker" : "the home")
                            + " has no policies: all messages are rejected; signet policy set adds one");
                }
            });
            return ExitCode.OK;
        }
    }

    /** The command {@code signet policy recovery}. */
    @Command(
            name = "recovery",
            description =
                    "Sets the recovery recipients. Every policy that encrypts also encrypts for them. Their keys open each "
                            + "message that is sealed from then on. The names replace those that were set. Without an "
                            + "argument it shows what is set.",
            footer = {
                "  signet policy recovery",
                "  signet policy recovery vault",
                "  signet policy recovery --none",
                "  signet policy recovery vault --broker tcp://localhost:61616 --user admin --dry-run",
            })
    static final class Recovery extends ChangingCommand {
        @Parameters(
                arity = "0..*",
                paramLabel = "NAME",
                description = "As in signet policy set: a name, a DN or ski:HEX.")
        private List<String> names = List.of();

        @Option(names = "--none", description = "No recovery recipients from now on.")
        private boolean none;

        private record Recipients(List<String> recovery, long version) {}

        @Override
        public Integer call() throws IOException {
            if (none && !names.isEmpty()) {
                throw usage("--none: goes without names");
            }
            if (!none && names.isEmpty()) {
                PolicySet there = targets.existing(context).only(PolicyTarget::read);
                report(
                        new Recipients(there.recovery(), there.version()),
                        () -> List.of("recovery: " + PolicyText.names(there.recovery())));
                return ExitCode.OK;
            }
            change(
                    targets.any(context),
                    "recovery",
                    this::edited,
                    (prefix, applied) -> show(prefix, "recovery: " + PolicyText.names(names), applied));
            return ExitCode.OK;
        }

        /** Judges the new names alone: one that was there and no longer works must not keep others from coming. */
        private PolicySet edited(PolicySet before, PartyValidator known) {
            PolicySet after = before.withRecovery(names);
            PartyValidator ofNew = new PartyValidator(
                    name -> before.recovery().contains(name)
                            ? Optional.empty()
                            : known.recipientProblem().apply(name),
                    known.signerProblem());
            requireNone(PolicyFile.problems(PolicySet.of(after.version(), after.settings(), List.of()), ofNew));
            return after;
        }
    }

    private static void requireNone(List<PolicyProblem> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidPolicyException(problems);
        }
    }

    /** The command {@code signet policy wildcards}. */
    @Command(
            name = "wildcards",
            description = "Sets in which wildcards the patterns of policies are written: those of <wildcard-addresses> "
                    + "in broker.xml. Without options it shows them.",
            footer = {"  signet policy wildcards", "  signet policy wildcards --delimiter / --single-word +"})
    static final class Wildcards extends Subcommand {
        @Option(names = "--delimiter", paramLabel = "C", description = "Divides the words of an address.")
        private @Nullable String delimiter;

        @Option(names = "--any-words", paramLabel = "C", description = "Stands for any number of words.")
        private @Nullable String anyWords;

        @Option(names = "--single-word", paramLabel = "C", description = "Stands for one word.")
        private @Nullable String singleWord;

        @Mixin
        private final TargetOptions targets = new TargetOptions();

        @Override
        public Integer call() throws IOException {
            if (delimiter == null && anyWords == null && singleWord == null) {
                WildcardSyntax there =
                        targets.any(context).only(PolicyTarget::read).wildcards();
                context.print("wildcards: " + there.describe());
                return ExitCode.OK;
            }
            targets.any(context).each("wildcards", this::set, (prefix, applied) -> {
                context.print(
                        prefix + "wildcards: " + applied.after().wildcards().describe() + ", " + applied.step());
                applied.warnings().forEach(warning -> context.warn(prefix + warning));
            });
            return ExitCode.OK;
        }

        private Applied set(PolicyTarget target) throws IOException {
            try {
                return target.change((before, known) -> before.with(changed(before.wildcards())), false);
            } catch (InvalidPolicyException e) {
                throw CliException.failure("wildcards: policies of the "
                                + (targets.isBroker(context) ? "broker" : "home") + " do not fit, nothing was changed")
                        .details(PolicyStore.problems(e))
                        .hint("signet policy remove takes these away; set them again after")
                        .causedBy(e);
            }
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
    }

    /** The command {@code signet policy rollback}. */
    @Command(
            name = "rollback",
            description =
                    "Puts former policies of a broker in place of all that are set, at once or not at all. They get "
                            + "the next version.",
            footer = {
                "  signet policy rollback 17 --broker tcp://localhost:61616 --user admin --dry-run",
                "  signet policy rollback 17 --broker tcp://localhost:61616 --user admin",
            })
    static final class Rollback extends ChangingCommand {
        @Parameters(paramLabel = "VERSION", description = "A version of signet policy history.")
        private long version;

        @Override
        public Integer call() throws IOException {
            each(
                    targets.existing(context),
                    "rollback to version " + version,
                    target -> {
                        PolicySet former = target.former(version);
                        return target.change(
                                (before, known) ->
                                        PolicySet.of(before.version() + 1, former.settings(), former.policies()),
                                dryRun);
                    },
                    (prefix, applied) -> show(
                            prefix,
                            "version " + version + " is back",
                            applied,
                            PolicyDifference.between(applied.before(), applied.after())));
            return ExitCode.OK;
        }
    }

    /**
     * A command that adds names to a list of one policy, or takes them away: all of them, or none. The rest of the
     * policy stays.
     */
    abstract static class Editing extends ChangingCommand {
        private final boolean ofSigners;
        private final boolean adds;
        private final String key;

        @Parameters(index = "0", paramLabel = "ADDRESS", description = PolicyCommands.LISTED)
        private String address = "";

        @Parameters(
                index = "1..*",
                arity = "1..*",
                paramLabel = "NAME",
                description = "As in signet policy set: a name, a DN or ski:HEX; to remove one, as the policy has it.")
        private List<String> names = List.of();

        Editing(boolean ofSigners, boolean adds) {
            this.ofSigners = ofSigners;
            this.adds = adds;
            this.key = ofSigners ? "signers" : "recipients";
        }

        @Override
        public Integer call() throws IOException {
            String done = key + (adds ? " added: " : " removed: ") + String.join("; ", names);
            change(
                    targets.existing(context),
                    "policy for '" + address + "'",
                    this::edited,
                    (prefix, applied) -> show(
                            prefix,
                            address + ": " + (applied.isChange() ? done : "these are " + key + " already"),
                            applied));
            return ExitCode.OK;
        }

        private PolicySet edited(PolicySet before, PartyValidator known) {
            Policy policy = PolicyStore.exactly(address, before);
            Signing signing = policy.signing();
            Encryption encryption = policy.encryption();
            List<String> there = ofSigners ? signing.signers() : encryption.recipients();
            List<String> wanted = adds
                    ? Stream.concat(there.stream(), names.stream()).distinct().toList()
                    : without(there);
            if (wanted.equals(there)) {
                return before;
            }
            Policy edited = ofSigners
                    ? policy.with(new Signing(signing.algorithm(), wanted, signing.certificate(), signing.brokers()))
                    : policy.with(new Encryption(
                            encryption.algorithm(), wanted, encryption.limits(), encryption.mutualTrust()));
            PartyValidator ofNew =
                    new PartyValidator(ofNames(known.recipientProblem()), ofNames(known.signerProblem()));
            requireNone(PolicyFile.problems(
                    PolicySet.of(before.version(), before.settings().withRecovery(List.of()), List.of(edited)), ofNew));
            return before.with(edited);
        }

        private List<String> without(List<String> there) {
            List<String> left = new ArrayList<>(there);
            left.removeAll(names);
            String list = there.isEmpty() ? "no names" : String.join("; ", there);
            List<PolicyProblem> problems = new ArrayList<>();
            names.stream()
                    .filter(name -> !there.contains(name))
                    .forEach(name -> problems.add(
                            new PolicyProblem(key, "'" + name + "' is not on this list, which has " + list)));
            if (ofSigners && left.isEmpty() && problems.isEmpty()) {
                problems.add(new PolicyProblem(
                        key,
                        "none would be left, and then every trusted signer is accepted; signet policy set without "
                                + "--signer says that this is meant"));
            }
            requireNone(problems);
            return left;
        }

        /** Judges the new names alone: a name that was there and no longer works must not keep others from coming. */
        private Function<String, Optional<String>> ofNames(Function<String, Optional<String>> problem) {
            return name -> names.contains(name) ? problem.apply(name) : Optional.empty();
        }

        /** Leaves the numbers out: the command knows names, and no list with numbers. */
        @Override
        protected List<String> problems(InvalidPolicyException rejection) {
            return rejection.problems().stream()
                    .map(problem -> problem.path().replaceFirst(NUMBER, "").replaceFirst("\\[.*", "") + ": "
                            + problem.message())
                    .toList();
        }
    }

    /** The command {@code signet policy add-recipient}. */
    @Command(
            name = "add-recipient",
            description = "Adds recipients to a policy. Messages that are sealed before stay closed to them.",
            footer = {
                "  signet policy add-recipient orders.# carol",
                "  signet policy add-recipient orders.# carol dave --broker tcp://localhost:61616 --user admin",
            })
    static final class AddRecipient extends Editing {
        AddRecipient() {
            super(false, true);
        }
    }

    /** The command {@code signet policy remove-recipient}. */
    @Command(
            name = "remove-recipient",
            description = "Removes recipients from a policy. Messages that are sealed before stay open to them.",
            footer = "  signet policy remove-recipient orders.# carol")
    static final class RemoveRecipient extends Editing {
        RemoveRecipient() {
            super(false, false);
        }
    }

    /** The command {@code signet policy add-signer}. */
    @Command(
            name = "add-signer",
            description =
                    "Adds accepted signers to a policy. With the first one, every other trusted signer is no longer "
                            + "accepted.",
            footer = "  signet policy add-signer prices.# feed")
    static final class AddSigner extends Editing {
        AddSigner() {
            super(true, true);
        }
    }

    /** The command {@code signet policy remove-signer}. */
    @Command(
            name = "remove-signer",
            description =
                    "Removes accepted signers from a policy. The last one stays: without one, every trusted signer is "
                            + "accepted.",
            footer = "  signet policy remove-signer prices.# feed")
    static final class RemoveSigner extends Editing {
        RemoveSigner() {
            super(true, false);
        }
    }
}
