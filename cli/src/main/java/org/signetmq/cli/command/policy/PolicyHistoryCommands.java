/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.access.Applied;
import org.signetmq.cli.command.policy.access.LastChange;
import org.signetmq.cli.command.policy.access.PolicyChange.Rollback;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.command.policy.access.TargetOptions;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.TextTable;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyDifference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The commands {@code signet policy} for the former policies of a broker. */
final class PolicyHistoryCommands {
    private PolicyHistoryCommands() {}

    /** The command {@code signet policy history}. */
    @Command(
            name = "history",
            description =
                    "Lists the policies in force at a broker and the former ones that it keeps: the last 20 sets.",
            footer = "  signet policy history --broker tcp://localhost:61616 --user admin")
    static final class History extends ReportingCommand {
        @Mixin
        private final TargetOptions targets = new TargetOptions();

        private record Answer(List<LastChange> history) {}

        @Override
        public Integer call() throws IOException {
            List<LastChange> history = targets.existing(context).only(PolicyTarget::history);
            report(new Answer(history), () -> {
                TextTable table = TextTable.of("VERSION", "SINCE", "BY", "FROM");
                history.forEach(set ->
                        table.row(String.valueOf(set.version()), shown(set.at()), shown(set.by()), shown(set.from())));
                return table.lines();
            });
            return ExitCode.OK;
        }

        private static String shown(@Nullable String text) {
            return text == null ? "-" : text;
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
    static final class Back extends ChangingCommand {
        @Parameters(paramLabel = "VERSION", description = "A version of signet policy history.")
        private long version;

        private record Done(PolicyDifference difference, Applied applied) {}

        @Override
        public Integer call() throws IOException {
            String what = "rollback to version " + version;
            oneForJson(targets.existing(context)).each(what, target -> rolledBack(what, target), (prefix, done) -> {
                show(prefix, "version " + version + " is back", done.applied(), done.difference());
                warn(prefix, done.applied());
            });
            return ExitCode.OK;
        }

        private Done rolledBack(String what, PolicyTarget target) throws IOException {
            PolicySet former = target.former(version);
            PolicySet before = target.read();
            try {
                Applied applied = make(target, new Rollback(version), before.version());
                return new Done(PolicyDifference.between(before, former), applied);
            } catch (InvalidPolicyException e) {
                throw rejected(what, PolicyStore.problems(e)).causedBy(e);
            }
        }
    }
}
