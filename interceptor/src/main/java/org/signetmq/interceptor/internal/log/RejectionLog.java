/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.PrintableText;

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
                    PrintableText.word(message.address()),
                    PrintableText.word(message.user()),
                    oneLine(reason).replace('"', '\''),
                    omitted);
        }
    }

    /**
     * Logs an unexpected failure, unless the log had a line with the same failure from the same place shortly before.
     * The text of the failure may contain secrets, so the line does not have it.
     *
     * @param doing words for what failed
     */
    public void sayUnexpected(Throwable failure, String doing) {
        StackTraceElement[] trace = failure.getStackTrace();
        String origin = trace.length == 0 ? "an unknown place" : trace[0].toString();
        String name = failure.getClass().getName();
        long omitted = limits.turn(oneLine("unexpected " + name + doing + origin));
        if (omitted >= 0) {
            PluginLog.LOG.error(
                    "unexpected {} {}, thrown at {} ({} before it were not logged)", name, doing, origin, omitted);
        }
    }

    /** The address and the user of a rejected message. */
    public record Subject(
            @Nullable String address, @Nullable String user) {}

    /** Returns the text for one line of the log, because clients choose names: fit for a line, and not long. */
    public static String oneLine(@Nullable String text) {
        return PrintableText.of(text, LONGEST);
    }
}
