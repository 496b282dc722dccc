/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.queue;

import java.lang.reflect.Array;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Values of messages as text: bytes as base64, times as in ISO 8601, maps and lists with their elements. */
final class AmqpText {
    private AmqpText() {}

    /** Returns a value as text in one line. */
    static String of(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        } else if (value instanceof Date time) {
            return time.toInstant().toString();
        } else if (value instanceof Map<?, ?> map) {
            return "{" + elements(map, ", ") + "}";
        } else if (value instanceof List || (value != null && value.getClass().isArray())) {
            return "[" + elements(value, ", ") + "]";
        }
        return String.valueOf(value);
    }

    /** Returns a value as text, with the elements of a map or list in a line each. */
    static String lines(Object value) {
        return value instanceof Map || value instanceof List ? elements(value, "\n") : of(value);
    }

    private static String elements(Object value, String delimiter) {
        Stream<String> elements = value instanceof Map<?, ?> map
                ? map.entrySet().stream().map(entry -> of(entry.getKey()) + "=" + of(entry.getValue()))
                : value instanceof List<?> list
                        ? list.stream().map(AmqpText::of)
                        : IntStream.range(0, Array.getLength(value)).mapToObj(i -> of(Array.get(value, i)));
        return elements.collect(Collectors.joining(delimiter));
    }
}
