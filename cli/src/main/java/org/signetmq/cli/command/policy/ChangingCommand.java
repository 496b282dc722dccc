/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicyTarget.Applied;
import org.signetmq.cli.command.policy.PolicyTarget.Edit;
import org.signetmq.cli.command.policy.PolicyText.DifferenceText;
import org.signetmq.cli.command.policy.TargetOptions.Shown;
import org.signetmq.cli.command.policy.TargetOptions.Targets;
import org.signetmq.cli.command.policy.TargetOptions.Work;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.file.PolicyDifference;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A command that changes policies or the certificates that they bring, or with {@code --dry-run} has the change judged.
 */
public abstract class ChangingCommand extends ReportingCommand {
    /** The number of a policy in a document. A command that changes one policy leaves it out of problems. */
    static final String NUMBER = "^policies\\[[0-9]+]\\.";

    @Mixin
    protected final TargetOptions targets = new TargetOptions();

    @Option(
            names = "--dry-run",
            description = "Judge the change and change nothing. A broker also tells which addresses and queues the "
                    + "change touches, and how many messages lie there in clear or sealed otherwise.")
    protected boolean dryRun;

    /**
     * The outcome for programs.
     *
     * @param before the version before
     * @param impact null if no broker judged it
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

    /** Makes the same edit in each place, shows what it did, and then its warnings. */
    protected final void change(Targets places, String what, Edit edit, Shown<Applied> shown) throws IOException {
        each(places, what, target -> target.change(edit, dryRun), shown);
    }

    /** Does the same change in each place, shows what it did, and then its warnings. */
    protected final void each(Targets places, String what, Work<Applied> change, Shown<Applied> shown)
            throws IOException {
        if (json && places.areSeveral()) {
            throw CliException.usage("--json: answers for one broker, and several are named");
        }
        places.each(
                what,
                target -> {
                    try {
                        return change.with(target);
                    } catch (InvalidPolicyException e) {
                        throw CliException.failure(what + ": rejected, nothing was changed")
                                .details(problems(e))
                                .causedBy(e);
                    }
                },
                (prefix, applied) -> {
                    shown.show(prefix, applied);
                    applied.warnings().forEach(warning -> context.warn(prefix + warning));
                });
    }

    /** Returns a line for each problem of a rejected change. */
    protected List<String> problems(InvalidPolicyException rejection) {
        return PolicyStore.problems(rejection);
    }

    /** Prints what a change did. */
    final void show(String prefix, String line, Applied applied) {
        show(prefix, List.of(line), applied, null);
    }

    /** Prints what a change did, and how the policies differ. */
    final void show(String prefix, String line, Applied applied, PolicyDifference difference) {
        List<String> lines = new ArrayList<>(DifferenceText.lines(difference));
        lines.add(line);
        show(prefix, lines, applied, DifferenceText.answer(difference));
    }

    /** Prints what a change did. The step of versions is behind the last line. */
    protected final void show(String prefix, List<String> lines, Applied applied, @Nullable Object difference) {
        show(
                prefix,
                new Outcome(
                        dryRun,
                        applied.isChange(),
                        applied.before().version(),
                        applied.after().version(),
                        applied.warnings(),
                        applied.impact(),
                        difference),
                lines,
                applied);
    }

    /** Prints what a change did, to programs as this answer. */
    final void show(String prefix, Object answer, List<String> lines, Applied applied) {
        PolicyImpact impact = applied.impact();
        report(answer, () -> {
            List<String> all = new ArrayList<>(lines);
            all.add(all.remove(all.size() - 1) + ", " + applied.step()
                    + (dryRun && applied.isChange() ? " (not written)" : ""));
            if (impact != null) {
                all.addAll(impact.lines());
            }
            return all.stream().map(line -> prefix + line).toList();
        });
        if (impact != null && impact.clearUnderPolicies() > 0 && !json) {
            context.say("a policy does not change messages that lie in queues; signet broker seal seals them");
        }
    }
}
