/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.PrintStream;

/** One line on a terminal that says what is going on; nothing where nobody watches. */
final class ProgressLine {
    private static final String BACK_AND_ERASE = "\r\u001b[K";

    private final PrintStream err;
    private final boolean watched;

    ProgressLine(Session session) {
        this.err = session.shell().streams().err();
        this.watched = session.shell().streams().terminal() != null && !session.options().quiet;
    }

    void show(String text) {
        if (watched) {
            err.print(BACK_AND_ERASE + "signet: " + text + " ...");
            err.flush();
        }
    }

    void clear() {
        if (watched) {
            err.print(BACK_AND_ERASE);
            err.flush();
        }
    }
}
