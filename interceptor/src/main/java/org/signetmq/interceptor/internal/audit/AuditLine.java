/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.PrintableText;

/**
 * One line of the audit log: a JSON object of printable ASCII characters. Names that strangers choose are bounded, and
 * so is the line. For one thread.
 */
final class AuditLine {
    /** The greatest length of a line, in characters. */
    static final int LONGEST = 32 << 10;

    /** The greatest number of entries in a line. */
    static final int MOST_ENTRIES = 50;

    /** The greatest length of a name or a text, in characters. */
    static final int LONGEST_TEXT = 1000;

    /** The length that is kept for the names of lists and the number of entries left out. */
    private static final int RESERVE = 256;

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final ObjectNode json = JSON.createObjectNode();
    private int room = -1; // unknown until the first list
    private int entries;
    private long leftOut;

    AuditLine(Instant at, AuditEvent event, String broker) {
        json.put("at", at.truncatedTo(ChronoUnit.MILLIS).toString()).put("event", event.label());
        put("broker", broker);
    }

    ObjectNode json() {
        return json;
    }

    /** Adds a text, bounded and without control characters; nothing for null. */
    AuditLine put(String key, @Nullable String text) {
        if (text != null) {
            json.put(key, bounded(text));
        }
        return this;
    }

    AuditLine put(String key, long number) {
        json.put(key, number);
        return this;
    }

    /** Adds a text before and after a change, if it changed. */
    AuditLine putChange(String key, String before, String after) {
        if (!before.equals(after)) {
            json.putObject(key).put("before", bounded(before)).put("after", bounded(after));
        }
        return this;
    }

    /** Adds as many of these texts as fit. All texts beside lists come before. */
    AuditLine putTexts(String key, List<String> texts) {
        measure();
        ArrayNode list = json.putArray(key);
        for (String text : texts) {
            String shown = bounded(text);
            if (takes(length(shown))) {
                list.add(shown);
            }
        }
        return this;
    }

    /**
     * Adds as many of these entries as fit. The others are counted, and most of them not even made. All texts beside
     * lists come before.
     */
    AuditLine putEntries(String key, Iterator<Entry> all) {
        measure();
        ArrayNode list = json.putArray(key);
        while (all.hasNext()) {
            Entry next = all.next();
            if (entries >= MOST_ENTRIES) {
                leftOut++;
                continue;
            }
            JsonNode made = next.make(JSON);
            if (takes(length(made))) {
                list.add(made);
            }
        }
        if (list.isEmpty()) {
            json.remove(key);
        }
        return this;
    }

    /** Makes an entry of a list. */
    @FunctionalInterface
    interface Entry {
        JsonNode make(JsonMapper json);
    }

    private void measure() {
        if (room < 0) {
            room = LONGEST - RESERVE - length(json);
        }
    }

    private boolean takes(int length) {
        if (entries >= MOST_ENTRIES || length > room) {
            leftOut++;
            return false;
        }
        entries++;
        room -= length;
        return true;
    }

    /** Returns the line, with the number of entries that it has no room for. */
    String format() {
        if (leftOut > 0) {
            json.put("left-out", leftOut);
        }
        return text(json);
    }

    private static int length(Object value) {
        return text(value).length() + 1;
    }

    private static String text(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("audit: a line cannot be written", impossible);
        }
    }

    static String bounded(String text) {
        return PrintableText.of(text, LONGEST_TEXT);
    }
}
