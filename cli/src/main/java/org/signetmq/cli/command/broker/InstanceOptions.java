/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.install.Plan;
import org.signetmq.cli.install.UnusableInstanceException;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which broker instance to change, and whether really. */
final class InstanceOptions {
    @Parameters(paramLabel = "INSTANCE_DIR", description = "The folder that artemis create made.")
    private Path folder = Path.of("");

    @Option(names = "--dry-run", description = "Show what would change, and change nothing.")
    private boolean dryRun;

    /** Plans a change of a folder. */
    interface Planning {
        Plan of(Path folder) throws IOException;
    }

    Path folder(CommandContext context) {
        return context.resolve(folder).toAbsolutePath().normalize();
    }

    /** Plans and, unless it is only to be shown, carries out. */
    Plan change(CommandContext context, Planning planning) throws IOException {
        try {
            return changeUnlessRefused(context, planning);
        } catch (FileSystemException e) {
            throw e;
        } catch (UnusableInstanceException | IOException e) {
            throw CliException.configuration(String.valueOf(e.getMessage())).causedBy(e);
        }
    }

    private Plan changeUnlessRefused(CommandContext context, Planning planning) throws IOException {
        Plan plan = planning.of(folder(context));
        if (plan.isEmpty()) {
            context.out().println(folder + ": nothing to do");
        } else if (dryRun) {
            plan.details().forEach(context.out()::println);
            context.say("nothing was changed");
        } else {
            plan.carryOut();
            plan.summary().forEach(context.out()::println);
            context.say("a broker that runs takes it in when it is started again");
        }
        plan.warnings().forEach(context::warn);
        return plan;
    }
}
