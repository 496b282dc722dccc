/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Arrays within the values of decoded AMQP sections. The decoder makes arrays of Java's primitives, but the encoder
 * takes none within lists and maps. Arrays of the wrapper classes become the same AMQP types, so they replace them.
 */
final class AmqpArrays {
    private static final Map<Class<?>, Class<?>> CLASSES = Map.of(
            boolean.class,
            Boolean.class,
            byte.class,
            Byte.class,
            short.class,
            Short.class,
            int.class,
            Integer.class,
            long.class,
            Long.class,
            float.class,
            Float.class,
            double.class,
            Double.class,
            char.class,
            Character.class);

    private AmqpArrays() {}

    /** A copy of a map that the encoder takes, in the same order. */
    static <K> Map<K, Object> encodable(Map<K, ?> values) {
        Map<K, Object> copy = new LinkedHashMap<>();
        values.forEach((key, value) -> copy.put(key, encodable(value)));
        return copy;
    }

    private static @Nullable Object encodable(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return encodable(map);
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>(list.size());
            list.forEach(element -> copy.add(encodable(element)));
            return copy;
        }
        Class<?> primitive = value == null ? null : value.getClass().getComponentType();
        Class<?> element = primitive == null ? null : CLASSES.get(primitive);
        if (value == null || element == null) {
            return value;
        }
        Object[] copy = (Object[]) Array.newInstance(element, Array.getLength(value));
        for (int i = 0; i < copy.length; i++) {
            copy[i] = Array.get(value, i);
        }
        return copy;
    }
}
