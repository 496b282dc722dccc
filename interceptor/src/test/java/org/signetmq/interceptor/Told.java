/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.DescribedType;
import org.jspecify.annotations.Nullable;

/**
 * A client's view of a message, as lines that can be compared: names, values and their types. Values that differ from
 * broker to broker by themselves, such as times and identifiers, stand there by their kind alone.
 */
@SuppressWarnings("JavaUtilDate") // as proton-j has timestamps
final class Told {
    private static final int MOST_IN_FULL = 300;
    private static final long NEAR = TimeUnit.DAYS.toMillis(2);
    private static final long START = System.currentTimeMillis();

    private final Map<String, String> lines = new TreeMap<>();

    /** Adds a value under its name. */
    Told with(String name, @Nullable Object value) {
        lines.put(name, text(value));
        return this;
    }

    @Override
    public String toString() {
        return lines.toString();
    }

    /** A value with its type, and those of all that is in it. */
    static String text(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        String type = value.getClass().getSimpleName() + " ";
        if (value instanceof byte[] bytes) {
            return "bytes " + bytes(bytes);
        }
        if (value instanceof Binary binary) {
            return type + bytes(binary.getArray());
        }
        if (value instanceof Date date) {
            return type + time(date.getTime());
        }
        if (value instanceof Long number) {
            return type + time(number);
        }
        if (value instanceof CompositeData data) {
            Told told = new Told();
            data.getCompositeType().keySet().forEach(key -> told.with(key, data.get(key)));
            return told.toString();
        }
        if (value instanceof TabularData table) {
            return text(table.values());
        }
        if (value instanceof DescribedType described) {
            return text(described.getDescriptor()) + " describes " + text(described.getDescribed());
        }
        if (value instanceof Map<?, ?> map) {
            List<String> entries = new ArrayList<>();
            map.forEach((key, one) -> entries.add(text(key) + " -> " + text(one)));
            return entries.stream().sorted().toList().toString();
        }
        if (value instanceof Iterable<?> values) {
            List<String> texts = new ArrayList<>();
            values.forEach(one -> texts.add(text(one)));
            if (value instanceof List<?>) {
                return texts.toString();
            }
            return texts.stream().sorted().toList().toString();
        }
        if (value.getClass().isArray()) {
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                texts.add(text(Array.get(value, i)));
            }
            return type + texts;
        }
        return type + string(value.toString());
    }

    private static String bytes(byte[] bytes) {
        if (bytes.length > MOST_IN_FULL) {
            return bytes.length + ": " + digest(bytes);
        }
        String latin = new String(bytes, StandardCharsets.ISO_8859_1);
        return latin.contains("ID:") ? string(latin) : HexFormat.of().formatHex(bytes);
    }

    private static String time(long value) {
        long distance = value - START;
        return Math.abs(distance) > NEAR
                ? Long.toString(value)
                : "time of the test + " + Math.round(distance / (double) TimeUnit.HOURS.toMillis(1)) + " h";
    }

    /** All lines are alike, and in the same order. */
    static void assertAlike(List<String> told, List<String> expected) {
        assertThat(expected).hasSizeGreaterThan(3);
        for (int i = 0; i < Math.min(told.size(), expected.size()); i++) {
            assertThat(difference(expected.get(i), told.get(i))).isEmpty();
        }
        assertThat(told).hasSameSizeAs(expected);
    }

    /** Returns the first difference of two of them with the lines around it; empty if they are alike. */
    private static String difference(String expected, String told) {
        int at = 0;
        while (at < Math.min(expected.length(), told.length()) && expected.charAt(at) == told.charAt(at)) {
            at++;
        }
        return expected.equals(told) ? "" : "expected " + around(expected, at) + "\n but was " + around(told, at);
    }

    private static String around(String text, int at) {
        return text.substring(Math.max(0, at - 200), Math.min(text.length(), at + 100));
    }

    /** A text without the parts that are chosen anew each time. */
    static String string(String text) {
        if (text.length() > 100 * MOST_IN_FULL) {
            return text.length() + ": " + digest(text.getBytes(StandardCharsets.UTF_8));
        }
        return text.replaceAll("ID:[-\\w.]+(:[-\\w]+)*", "ID")
                .replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID")
                .replaceAll("@[0-9a-f]{4,8}\\b", "@")
                .replaceAll("\\b1[78]\\d{11}\\b", "TIME");
    }

    private static String digest(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(Arrays.copyOf(digest, 8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
