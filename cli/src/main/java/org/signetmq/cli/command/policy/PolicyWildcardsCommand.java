/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.access.Applied;
import org.signetmq.cli.command.policy.access.PolicyChange;
import org.signetmq.cli.command.policy.access.PolicyHead;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.command.policy.access.TargetOptions;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.WildcardSyntax;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet policy wildcards}. */
@Command(
        name = "wildcards",
        description = "Sets in which wildcards the patterns of policies are written: those of <wildcard-addresses> "
                + "in broker.xml. Without options it shows them.",
        footer = {"  signet policy wildcards", "  signet policy wildcards --delimiter / --single-word +"})
final class PolicyWildcardsCommand extends Subcommand {
    @Option(names = "--delimiter", paramLabel = "C", description = "Divides the words of an address.")
    private @Nullable String delimiter;

    @Option(names = "--any-words", paramLabel = "C", description = "Stands for any number of words.")
    private @Nullable String anyWords;

    @Option(names = "--single-word", paramLabel = "C", description = "Stands for one word.")
    private @Nullable String singleWord;

    @Mixin
    private final TargetOptions targets = new TargetOptions();

    private record Done(WildcardSyntax wildcards, Applied applied) {}

    @Override
    public Integer call() throws IOException {
        if (delimiter == null && anyWords == null && singleWord == null) {
            WildcardSyntax there = targets.any(context).only(PolicyTarget::head).wildcards();
            context.print("wildcards: " + there.describe());
            return ExitCode.OK;
        }
        targets.any(context).each("wildcards", this::set, (prefix, done) -> {
            Applied applied = done.applied();
            context.print(prefix + "wildcards: " + done.wildcards().describe() + ", " + applied.step());
            applied.warnings().forEach(warning -> context.warn(prefix + warning));
        });
        return ExitCode.OK;
    }

    private Done set(PolicyTarget target) throws IOException {
        PolicyHead before = target.head();
        WildcardSyntax wanted = changed(before.wildcards());
        try {
            return new Done(wanted, target.apply(new PolicyChange.SetWildcards(wanted), before.version()));
        } catch (InvalidPolicyException e) {
            throw CliException.failure("wildcards: policies of the " + (targets.isBroker(context) ? "broker" : "home")
                            + " do not fit, nothing was changed")
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
