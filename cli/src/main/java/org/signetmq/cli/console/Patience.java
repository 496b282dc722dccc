/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Says that a command still works on something without a known end: on a terminal each second, from the second one on;
 * elsewhere once.
 */
public final class Patience implements AutoCloseable {
    private final ProgressLine line;
    private final long begun = System.nanoTime();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "signet-patience");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Begins to wait.
     *
     * @param what the work, for the user
     */
    public Patience(CommandContext context, String what) {
        this.line = new ProgressLine(context);
        if (context.shell().streams().terminal() == null) {
            var unused = timer.schedule(() -> context.say(what + ", which may take some seconds"), 1, TimeUnit.SECONDS);
        } else {
            var unused =
                    timer.scheduleAtFixedRate(() -> line.show(what + ", " + seconds() + " s"), 1, 1, TimeUnit.SECONDS);
        }
    }

    private long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        try {
            if (timer.awaitTermination(1, TimeUnit.SECONDS)) {
                line.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
