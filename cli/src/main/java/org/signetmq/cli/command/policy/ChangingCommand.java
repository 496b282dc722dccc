/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.List;
import org.signetmq.cli.command.policy.access.Applied;
import org.signetmq.cli.command.policy.access.PolicyChange;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.command.policy.access.TargetOptions;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Subcommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that changes policies, or with {@code --dry-run} has the change judged. */
abstract class ChangingCommand extends Subcommand {
    @Mixin
    final TargetOptions targets = new TargetOptions();

    @Option(names = "--dry-run", description = "Judge the change and change nothing.")
    boolean dryRun;

    /** Makes a change of the version that was seen, or has it judged. */
    final Applied make(PolicyTarget target, PolicyChange change, long seen) throws IOException {
        return dryRun ? target.judge(change, seen) : target.apply(change, seen);
    }

    /** Prints what a change did. */
    final void show(String line, Applied applied) {
        context.print(line + ", " + applied.step() + (dryRun && applied.isChange() ? " (not written)" : ""));
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
