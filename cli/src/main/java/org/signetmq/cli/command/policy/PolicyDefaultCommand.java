/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.access.Applied;
import org.signetmq.cli.command.policy.access.PolicyChange;
import org.signetmq.cli.command.policy.access.PolicyHead;
import org.signetmq.cli.command.policy.access.PolicyImpact;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.command.policy.access.TargetOptions;
import org.signetmq.cli.command.policy.access.Targets;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.policy.UnmatchedAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class PolicyDefaultCommand extends ReportingCommand {
    private @Nullable UnmatchedAddress wanted;

    @Option(
            names = "--dry-run",
            description = "Judge the change and change nothing. A broker also tells which addresses it touches.")
    private boolean dryRun;

    @Mixin
    private final TargetOptions targets = new TargetOptions();

    private record Result(
            String unmatched,
            long version,
            boolean changed,
            boolean dryRun,
            @Nullable PolicyImpact impact) {}

    private record Done(PolicyHead before, Applied applied, String place) {}

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
            PolicyHead head = targets.existing(context).only(PolicyTarget::head);
            String label = head.unmatched().label();
            report(new Result(label, head.version(), false, false, null), () -> List.of("unmatched: " + label));
            return ExitCode.OK;
        }
        Targets all = targets.any(context);
        if (json && all.areSeveral()) {
            throw CliException.usage("--json: answers for one broker, and several are named");
        }
        all.each("unmatched", target -> set(target, rule), (prefix, done) -> {
            Applied applied = done.applied();
            report(
                    new Result(rule.label(), applied.version(), applied.isChange(), dryRun, applied.impact()),
                    () -> lines(rule, applied).stream()
                            .map(line -> prefix + line)
                            .toList());
            applied.warnings().forEach(warning -> context.warn(prefix + warning));
            if (rule == UnmatchedAddress.REJECT && done.before().isEmpty()) {
                context.warn(prefix + done.place()
                        + " has no policies: all messages are rejected; signet policy set adds one");
            }
        });
        return ExitCode.OK;
    }

    private List<String> lines(UnmatchedAddress rule, Applied applied) {
        List<String> lines = new ArrayList<>();
        lines.add("unmatched: " + rule.label() + ", " + applied.step()
                + (dryRun && applied.isChange() ? " (not written)" : ""));
        PolicyImpact impact = applied.impact();
        if (impact != null) {
            lines.addAll(ImpactText.lines(impact));
        }
        return lines;
    }

    private Done set(PolicyTarget target, UnmatchedAddress rule) throws IOException {
        PolicyHead before = target.head();
        PolicyChange change = new PolicyChange.SetUnmatched(rule);
        return new Done(
                before,
                dryRun ? target.judge(change, before.version()) : target.apply(change, before.version()),
                targets.isBroker(context) ? "the broker" : "the home");
    }
}
