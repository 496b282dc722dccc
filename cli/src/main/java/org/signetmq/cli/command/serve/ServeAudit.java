/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.keystore.PrintableText;

/**
 * Writes the audit of the requests: one JSON object a line, of printable ASCII characters, on standard output. It never
 * contains payload or token. Names that strangers choose are cut. Thread-safe.
 */
final class ServeAudit {
    private static final int LONGEST_TEXT = 1000;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final CommandContext context;
    private final String identity;
    private long leftOut; // guarded by this, as the time
    private long lastRefusal = System.nanoTime() - PAUSE_NANOS;

    ServeAudit(CommandContext context, String identity) {
        this.context = context;
        this.identity = identity;
    }

    /** Begins a line. */
    ObjectNode line(String event, String from) {
        return JSON.createObjectNode()
                .put("at", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString())
                .put("event", event)
                .put("identity", identity)
                .put("from", from);
    }

    /** Adds a text, bounded and without control characters; nothing for null. */
    static void put(ObjectNode line, String key, @Nullable String text) {
        if (text != null) {
            line.put(key, PrintableText.of(text, LONGEST_TEXT));
        }
    }

    /**
     * Writes a line.
     *
     * @return false if standard output cannot be written
     */
    synchronized boolean write(ObjectNode line) {
        try {
            context.text().println(JSON.writeValueAsString(line));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("audit: cannot be written as JSON", e);
        }
        return !context.text().checkError();
    }

    /** Writes a line about a request without the token, or of a browser: at most one in ten seconds. */
    synchronized void refused(String from, String reason) {
        if (System.nanoTime() - lastRefusal < PAUSE_NANOS) {
            leftOut++;
            return;
        }
        lastRefusal = System.nanoTime();
        boolean unused =
                write(line("request-refused", from).put("reason", reason).put("left-out", leftOut));
        leftOut = 0;
    }
}
