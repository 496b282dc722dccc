/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.command.policy.access.TargetOptions;
import org.signetmq.cli.command.policy.access.Targets;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyDifference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

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
final class PolicyDiffCommand extends ReportingCommand {
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
            PolicySet after = new PolicyDocument(file).read(context);
            return PolicyDifference.between(places.only(PolicyTarget::read), after);
        }
        if (places.number() != 2) {
            throw usage("diff: name a FILE, or two brokers");
        }
        List<PolicySet> both = places.all(PolicyTarget::read);
        return PolicyDifference.between(both.get(0), both.get(1));
    }
}
