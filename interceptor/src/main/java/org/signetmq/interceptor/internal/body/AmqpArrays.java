/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replaces arrays of primitives in decoded AMQP values by arrays of wrapper classes. The decoder makes arrays of
 * primitives, but the encoder rejects them in lists and maps. Both encode as the same AMQP types.
 */
final class AmqpArrays {
    private AmqpArrays() {}

    /** Returns a copy of a map, in the same order, that the encoder accepts. */
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
        if (value == null || primitive == null || !primitive.isPrimitive()) {
            return value;
        }
        Class<?> element = MethodType.methodType(primitive).wrap().returnType();
        Object[] copy = (Object[]) Array.newInstance(element, Array.getLength(value));
        for (int i = 0; i < copy.length; i++) {
            copy[i] = Array.get(value, i);
        }
        return copy;
    }
}
