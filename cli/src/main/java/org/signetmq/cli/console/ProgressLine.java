/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.PrintStream;

/** One line on a terminal that shows progress. Without a terminal nothing is printed. */
public final class ProgressLine {
    private static final String BACK_AND_ERASE = "\r\u001b[K";

    private final PrintStream err;
    private final boolean watched;

    public ProgressLine(CommandContext context) {
        this.err = context.shell().streams().err();
        this.watched = context.shell().streams().terminal() != null && !context.options().quiet;
    }

    public void show(String text) {
        if (watched) {
            err.print(BACK_AND_ERASE + "signet: " + text + " ...");
            err.flush();
        }
    }

    public void clear() {
        if (watched) {
            err.print(BACK_AND_ERASE);
            err.flush();
        }
    }
}
