/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.access.Applied;
import org.signetmq.cli.command.policy.access.PolicyChange;
import org.signetmq.cli.command.policy.access.PolicyImpact;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.command.policy.access.TargetOptions;
import org.signetmq.cli.command.policy.access.Targets;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.policy.file.PolicyDifference;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that changes policies, or with {@code --dry-run} has the change judged. */
abstract class ChangingCommand extends ReportingCommand {
    @Mixin
    final TargetOptions targets = new TargetOptions();

    @Option(
            names = "--dry-run",
            description = "Judge the change and change nothing. A broker also tells which addresses and queues the "
                    + "change touches, and how many messages lie there in clear or sealed otherwise.")
    boolean dryRun;

    /**
     * The outcome for programs.
     *
     * @param before the version before
     * @param impact null if no broker judged the change
     * @param difference null if the command does not tell it
     */
    private record Outcome(
            boolean dryRun,
            boolean changed,
            long before,
            long version,
            List<String> warnings,
            @Nullable PolicyImpact impact,
            @Nullable Object difference) {}

    /** Returns the places, and rejects several if the answer is for programs. */
    final Targets oneForJson(Targets places) {
        if (json && places.areSeveral()) {
            throw CliException.usage("--json: answers for one broker, and several are named");
        }
        return places;
    }

    /** Makes a change of the version that was seen, or has it judged. */
    final Applied make(PolicyTarget target, PolicyChange change, long seen) throws IOException {
        return dryRun ? target.judge(change, seen) : target.apply(change, seen);
    }

    /** Prints what a change did. */
    final void show(String prefix, String line, Applied applied) {
        show(prefix, List.of(line), applied);
    }

    /** Prints what a change did. The step of versions is behind the last line. */
    final void show(String prefix, List<String> lines, Applied applied) {
        show(prefix, lines, applied, null);
    }

    /** Prints what a change did, and how the policies differ. The step of versions is behind the last line. */
    final void show(String prefix, String line, Applied applied, PolicyDifference difference) {
        List<String> lines = new ArrayList<>(DifferenceText.lines(difference));
        lines.add(line);
        show(prefix, lines, applied, DifferenceText.answer(difference));
    }

    private void show(String prefix, List<String> lines, Applied applied, @Nullable Object difference) {
        boolean changes = applied.isChange();
        report(
                new Outcome(
                        dryRun,
                        changes,
                        applied.before(),
                        applied.version(),
                        applied.warnings(),
                        applied.impact(),
                        difference),
                () -> {
                    List<String> all = new ArrayList<>(lines);
                    all.add(all.remove(all.size() - 1) + ", " + applied.step()
                            + (dryRun && changes ? " (not written)" : ""));
                    PolicyImpact impact = applied.impact();
                    if (impact != null) {
                        all.addAll(ImpactText.lines(impact));
                    }
                    return all.stream().map(line -> prefix + line).toList();
                });
        hintAtSealing(applied.impact());
    }

    private void hintAtSealing(@Nullable PolicyImpact impact) {
        if (impact != null && impact.clearUnderPolicies() > 0 && !json) {
            context.say("a policy does not change messages that lie in queues; signet broker seal seals them");
        }
    }

    /** Prints the warnings of a change. */
    final void warn(String prefix, Applied applied) {
        applied.warnings().forEach(warning -> context.warn(prefix + warning));
    }

    /** Returns the failure of a change with these problems. */
    static CliException rejected(String what, List<String> problems) {
        return CliException.failure(what + ": rejected, nothing was changed").details(problems);
    }
}
