/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One line on a terminal that shows how far a command is; closing erases it. Thread-safe. */
public final class Progress implements AutoCloseable {
    private static final String BACK_AND_ERASE = "\r\u001b[K";
    private static final long QUIET_MILLIS = 2000;
    private static final long INTERVAL_MILLIS = 250;
    private static final double MEBIBYTE = 1 << 20;

    private final CommandContext context;
    private final boolean watched;
    private boolean shown;
    private boolean closed;
    private @Nullable ScheduledExecutorService timer;

    public Progress(CommandContext context) {
        this.context = context;
        this.watched = context.shell().streams().terminal() != null;
    }

    /** Shows a text in place of the one before. Without a terminal nothing is printed. */
    public synchronized void show(String text) {
        if (watched && !context.quiet && !closed) {
            shown = true;
            context.shell().streams().err().print(BACK_AND_ERASE + "signet: " + text + " ...");
        }
    }

    /** Returns a consumer of the number of bytes done, of a total or -1. It shows them from the third second on. */
    public LongConsumer ofBytes(String done, long total) {
        long begun = context.shell().clock().millis();
        AtomicLong next = new AtomicLong(begun + QUIET_MILLIS);
        return bytes -> {
            long now = context.shell().clock().millis();
            if (now >= next.get()) {
                next.set(now + INTERVAL_MILLIS);
                String share = total > 0 ? ", " + Math.min(100, 100 * bytes / total) + " %" : "";
                double mebibytes = bytes / MEBIBYTE;
                double rate = mebibytes * 1000 / (now - begun);
                show(String.format(Locale.ROOT, "%s %.0f MiB%s, %.0f MiB/s", done, mebibytes, share, rate));
            }
        };
    }

    /** Shows that work without a known end goes on: on a terminal each second; elsewhere once, after two seconds. */
    public synchronized void ofWork(String work) {
        timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "progress");
            thread.setDaemon(true);
            return thread;
        });
        if (watched) {
            AtomicInteger seconds = new AtomicInteger();
            var unused = timer.scheduleAtFixedRate(
                    () -> show(work + ", " + seconds.incrementAndGet() + " s"), 1, 1, TimeUnit.SECONDS);
        } else {
            var unused = timer.schedule(() -> say(work + ", which may take some seconds"), 2, TimeUnit.SECONDS);
        }
    }

    private synchronized void say(String text) {
        if (!closed) {
            context.say(text);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (timer != null) {
            timer.shutdownNow();
        }
        if (shown) {
            context.shell().streams().err().print(BACK_AND_ERASE);
        }
    }
}
