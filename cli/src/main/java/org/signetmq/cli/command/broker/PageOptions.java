/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.install.Page;
import picocli.CommandLine.Option;

/** The option that says whether the broker's web server has the page for administrators. */
final class PageOptions {
    @Option(
            names = "--console",
            negatable = true,
            description = "Whether the web server of the broker has the page for administrators, at /signet beside the "
                    + "console. Default as before, at first no.")
    private @Nullable Boolean console;

    /** Returns the page and the choice. */
    Page page() throws IOException {
        return Page.carried(Optional.ofNullable(console));
    }
}
