/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads map bodies of Artemis's Core protocol: a mark, a count, then name, type and value of each entry. As Artemis
 * does, it reads no byte behind the mark of null or the last entry, and takes the last value of a name.
 */
final class CoreMapDecoder {
    /** The least length of an entry in bytes: an empty name and a null. */
    private static final int SMALLEST_ENTRY = Integer.BYTES + Byte.BYTES;

    private CoreMapDecoder() {}

    /**
     * Decodes a map.
     *
     * @throws org.signetmq.envelope.exception.MalformedEnvelopeException if the payload is not a map
     */
    static Map<String, @Nullable Object> decode(byte[] payload) {
        CoreBuffer buffer = new CoreBuffer(payload);
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        if (!buffer.hasRemaining()) {
            return values;
        }
        if (buffer.octet() == CoreType.NULL) {
            return values;
        }
        int count = buffer.count(SMALLEST_ENTRY);
        for (int i = 0; i < count; i++) {
            buffer.countValue();
            String name = buffer.simpleString();
            values.put(name, value(buffer));
        }
        return values;
    }

    private static @Nullable Object value(CoreBuffer buffer) {
        byte type = buffer.octet();
        return switch (type) {
            case CoreType.NULL -> null;
            case CoreType.STRING -> buffer.simpleString();
            default -> buffer.value(type);
        };
    }
}
