/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.install.Installation;
import org.signetmq.cli.install.Instance.UnusableInstanceException;
import org.signetmq.cli.install.Plan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that changes a broker instance, or shows the changes. */
public abstract class InstanceCommand extends Subcommand {
    @Parameters(paramLabel = "INSTANCE_DIR", description = "The folder that artemis create made.")
    private Path folder = Path.of("");

    @Option(names = "--dry-run", description = "Show what would change, and change nothing.")
    private boolean dryRun;

    /** Whether the changes are only to be shown. */
    final boolean isDryRun() {
        return dryRun;
    }

    /** Plans the changes of a folder. */
    interface Planning {
        Plan of(Path folder) throws IOException;
    }

    /** Plans the changes and makes them, unless they are only to be shown. */
    final Plan change(Planning planning) throws IOException {
        Path instance = context.resolve(folder).toAbsolutePath().normalize();
        for (String part : List.of("", "etc", "lib", "web")) {
            context.requireOwn(instance.resolve(part), "broker ... " + instance);
        }
        try {
            Plan plan = planning.of(instance);
            if (plan.isEmpty()) {
                context.print(folder + ": nothing to do");
            } else if (dryRun) {
                plan.details().forEach(context::print);
                context.say("nothing was changed");
            } else {
                plan.carryOut();
                plan.summary().forEach(context::print);
                context.say("a broker that runs takes it in when it is started again");
            }
            plan.warnings().forEach(context::warn);
            return plan;
        } catch (FileSystemException e) {
            throw e;
        } catch (UnusableInstanceException | IOException e) {
            throw CliException.configuration(String.valueOf(e.getMessage())).causedBy(e);
        }
    }

    /** The command {@code signet broker uninstall}. */
    @Command(
            name = "uninstall",
            description =
                    "Takes the plugin out of a broker instance. What installing changed becomes as it was; what others "
                            + "changed since stays. Sealed messages stay sealed.",
            footer = {"  signet broker uninstall /var/lib/artemis --dry-run"})
    public static final class BrokerUninstall extends InstanceCommand {
        @Option(
                names = "--force",
                description = "Uninstall while the broker runs. It rejects every message until it is started again.")
        private boolean force;

        @Override
        public Integer call() throws IOException {
            change(force || isDryRun() ? Installation::planRemoval : Installation::planRemovalOfStopped);
            return ExitCode.OK;
        }
    }
}
