/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.WildcardSyntax;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code signet policy wildcards}. */
@Command(
        name = "wildcards",
        description = "Sets in which wildcards the patterns of the home are written: those of <wildcard-addresses> in "
                + "broker.xml. Without options it shows them.",
        footer = {"  signet policy wildcards", "  signet policy wildcards --delimiter / --single-word +"})
public final class PolicyWildcards extends Subcommand {
    @Option(names = "--delimiter", paramLabel = "C", description = "Divides the words of an address.")
    private @Nullable String delimiter;

    @Option(names = "--any-words", paramLabel = "C", description = "Stands for any number of words.")
    private @Nullable String anyWords;

    @Option(names = "--single-word", paramLabel = "C", description = "Stands for one word.")
    private @Nullable String singleWord;

    @Override
    public Integer call() throws IOException {
        PolicyStore store = new PolicyStore(context.home());
        PolicySet now = store.read();
        WildcardSyntax wanted = changed(now.wildcards());
        String change = "";
        if (!wanted.equals(now.wildcards())) {
            change = ", " + PolicyStore.step(store.change(policies -> rewritten(policies, wanted)));
        }
        context.print("wildcards: " + wanted.describe() + change);
        return ExitCode.OK;
    }

    private WildcardSyntax changed(WildcardSyntax before) {
        char divides = character("--delimiter", delimiter, before.delimiter());
        char any = character("--any-words", anyWords, before.anyWords());
        char single = character("--single-word", singleWord, before.singleWord());
        Optional<String> problem = WildcardSyntax.problemWith(divides, any, single);
        if (problem.isPresent()) {
            throw CliException.failure("wildcards: " + problem.get());
        }
        return new WildcardSyntax(divides, any, single);
    }

    private static char character(String option, @Nullable String text, char otherwise) {
        if (text == null) {
            return otherwise;
        }
        if (text.length() != 1) {
            throw CliException.failure(option + ": not one character");
        }
        return text.charAt(0);
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
