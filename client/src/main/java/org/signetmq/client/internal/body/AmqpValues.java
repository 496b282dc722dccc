/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Binary;
import org.jspecify.annotations.Nullable;

/** Converts AMQP values to Java types: binaries become byte arrays, at any depth. */
final class AmqpValues {
    private AmqpValues() {}

    static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Binary binary) {
            return AmqpSections.bytes(binary);
        } else if (value instanceof Map<?, ?> map) {
            Map<@Nullable Object, @Nullable Object> plain = new LinkedHashMap<>();
            map.forEach((key, item) -> plain.put(plain(key), plain(item)));
            return plain;
        } else if (value instanceof List<?> list) {
            return list(list);
        } else {
            return value;
        }
    }

    static List<@Nullable Object> list(List<?> list) {
        List<@Nullable Object> plain = new ArrayList<>(list.size());
        for (Object item : list) {
            plain.add(plain(item));
        }
        return plain;
    }
}
