/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/** Reads stream bodies of Artemis's Core protocol: type and value of each item, to the end. */
final class CoreStreamDecoder {
    private CoreStreamDecoder() {}

    /**
     * Decodes the items of a stream. As in Artemis, an item that is incomplete is the end, and one of an unknown type
     * cannot be read.
     *
     * @throws MalformedEnvelopeException if there are too many items
     */
    static Body.Items decode(byte[] payload) {
        CoreBuffer buffer = new CoreBuffer(payload);
        List<@Nullable Object> items = new ArrayList<>();
        while (buffer.hasRemaining()) {
            buffer.countValue();
            byte type = buffer.octet();
            if (type < CoreType.BOOLEAN || type > CoreType.CHAR) {
                return new Body.Items(items, Arrays.copyOf(payload, buffer.position()));
            }
            try {
                items.add(type == CoreType.STRING ? buffer.nullableString() : buffer.value(type));
            } catch (MalformedEnvelopeException incomplete) {
                break;
            }
        }
        return new Body.Items(items);
    }
}
