/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.Locale;
import java.util.function.LongConsumer;

/** Shows the progress of a transfer on a terminal, from the third second on. Not thread-safe. */
public final class Progress implements LongConsumer, AutoCloseable {
    private static final long QUIET_MILLIS = 2000;
    private static final long INTERVAL_MILLIS = 250;
    private static final double MEBIBYTE = 1 << 20;

    private final ProgressLine line;
    private final CommandContext context;
    private final String done;
    private final long total;
    private final long begun;
    private long shown;

    /**
     * A transfer that begins now.
     *
     * @param done the work on the bytes
     * @param total the number of all bytes; -1 if it is unknown
     */
    public Progress(CommandContext context, String done, long total) {
        this.line = new ProgressLine(context);
        this.context = context;
        this.done = done;
        this.total = total;
        this.begun = now();
        this.shown = begun + QUIET_MILLIS - INTERVAL_MILLIS;
    }

    private long now() {
        return context.shell().clock().millis();
    }

    @Override
    public void accept(long bytes) {
        long now = now();
        if (now - shown >= INTERVAL_MILLIS) {
            shown = now;
            line.show(text(bytes, now - begun));
        }
    }

    private String text(long bytes, long millis) {
        String share = total > 0 ? String.format(Locale.ROOT, ", %d %%", Math.min(100, 100 * bytes / total)) : "";
        return String.format(
                Locale.ROOT,
                "%s %.0f MiB%s, %.0f MiB/s",
                done,
                bytes / MEBIBYTE,
                share,
                bytes / MEBIBYTE * 1000 / Math.max(1, millis));
    }

    @Override
    public void close() {
        line.clear();
    }
}
