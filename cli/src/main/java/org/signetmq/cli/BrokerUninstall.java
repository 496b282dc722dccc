/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.signetmq.cli.install.Installation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code signet broker uninstall}. */
@Command(
        name = "uninstall",
        description =
                "Takes the plugin out of a broker instance. What installing changed becomes as it was; what others "
                        + "changed since stays. Sealed messages stay sealed.",
        footerHeading = "%nExamples:%n",
        footer = {"  signet broker uninstall /var/lib/artemis --dry-run"})
final class BrokerUninstall implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final InstanceOptions instance = new InstanceOptions();

    BrokerUninstall(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws IOException {
        instance.change(session, Installation::planRemoval);
        return ExitCode.OK;
    }
}
