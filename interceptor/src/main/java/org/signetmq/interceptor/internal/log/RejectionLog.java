/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Logs rejections, at most one line for each cause in ten seconds, so that senders cannot fill the log. Thread-safe.
 */
public final class RejectionLog {
    private static final int LONGEST = 200;

    private final String title;
    private final CauseLimits limits;

    /**
     * Makes a log.
     *
     * @param title the beginning of each line
     */
    public RejectionLog(Clock clock, String title) {
        this.title = title;
        this.limits = new CauseLimits(clock);
    }

    /**
     * Logs a rejection, unless the log had a line with the same cause shortly before.
     *
     * @param cause the key of the limit: the reason without the names of this message
     * @param message the address and user of the message
     */
    public void say(String cause, Subject message, String reason) {
        long omitted = limits.turn(oneLine(cause));
        if (omitted >= 0) {
            PluginLog.LOG.warn(
                    "{}: address {}, user {}: {} ({} before it were not logged)",
                    title,
                    oneLine(message.address()),
                    oneLine(message.user()),
                    oneLine(reason),
                    omitted);
        }
    }

    /** The address and the user of a rejected message. */
    public record Subject(
            @Nullable String address, @Nullable String user) {}

    /** Returns the text for one line of the log, because clients choose names: without line breaks, and not long. */
    public static String oneLine(@Nullable String text) {
        return text == null ? "-" : PrintableText.of(text, LONGEST);
    }
}
