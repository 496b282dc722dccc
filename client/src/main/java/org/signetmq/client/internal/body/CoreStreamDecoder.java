/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads stream bodies of Artemis's Core protocol: type and value of each item, to the end. */
final class CoreStreamDecoder {
    private CoreStreamDecoder() {}

    /**
     * Decodes the items of a stream.
     *
     * @throws org.signetmq.envelope.exception.MalformedEnvelopeException if the payload is not a stream
     */
    static List<@Nullable Object> decode(byte[] payload) {
        CoreBuffer buffer = new CoreBuffer(payload);
        List<@Nullable Object> items = new ArrayList<>();
        while (buffer.hasRemaining()) {
            buffer.countValue();
            byte type = buffer.octet();
            items.add(type == CoreType.STRING ? buffer.nullableString() : buffer.value(type));
        }
        return items;
    }
}
