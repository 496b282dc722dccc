/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import java.io.IOException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.install.Installation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code signet broker uninstall}. */
@Command(
        name = "uninstall",
        description =
                "Takes the plugin out of a broker instance. What installing changed becomes as it was; what others "
                        + "changed since stays. Sealed messages stay sealed.",
        footer = {"  signet broker uninstall /var/lib/artemis --dry-run"})
public final class BrokerUninstall extends InstanceCommand {
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
