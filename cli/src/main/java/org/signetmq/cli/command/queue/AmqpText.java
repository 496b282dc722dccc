/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.queue;

import java.lang.reflect.Array;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Values of messages as text: bytes as base64, times as in ISO 8601, maps and lists with their elements. */
final class AmqpText {
    private AmqpText() {}

    /** Returns a value as text; lists and maps in one line. */
    static String of(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        } else if (value instanceof Date time) {
            return time.toInstant().toString();
        } else if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream().map(AmqpText::entry).collect(Collectors.joining(", ", "{", "}"));
        } else if (value instanceof List<?> list) {
            return list.stream().map(AmqpText::of).collect(Collectors.joining(", ", "[", "]"));
        } else if (value != null && value.getClass().isArray()) {
            return IntStream.range(0, Array.getLength(value))
                    .mapToObj(i -> of(Array.get(value, i)))
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return String.valueOf(value);
    }

    static String lines(Map<?, ?> map) {
        return map.entrySet().stream().map(AmqpText::entry).collect(Collectors.joining("\n"));
    }

    static String lines(List<?> list) {
        return list.stream().map(AmqpText::of).collect(Collectors.joining("\n"));
    }

    private static String entry(Map.Entry<?, ?> entry) {
        return of(entry.getKey()) + "=" + of(entry.getValue());
    }
}
