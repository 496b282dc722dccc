/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.IOException;

/** The reader of the results has gone, as {@code head} does when it has read enough. The command ends silently. */
public final class ClosedPipeException extends IOException {
    private static final long serialVersionUID = 1L;

    public ClosedPipeException() {
        super("standard output: closed by its reader");
    }
}
