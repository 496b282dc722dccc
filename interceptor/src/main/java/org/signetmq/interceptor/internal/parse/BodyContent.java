/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import java.util.Map;
import org.signetmq.envelope.message.ClearMessage;

/**
 * The content of a clear message, in a form that every consumer can rebuild.
 *
 * @param body the kind of the payload
 * @param bytes the payload: the remaining bytes of a buffer with an array, which the message may share
 * @param properties further values that a consumer restores
 */
public record BodyContent(ClearMessage.Body body, ByteBuffer bytes, Map<String, String> properties) {
    /** The bytes that the encoding of a map, a stream or an object may add. */
    private static final int MOST_ENCODING = 64 << 10;

    public static BodyContent of(ClearMessage.Body body, byte[] payload) {
        return new BodyContent(body, ByteBuffer.wrap(payload), Map.of());
    }

    /** Returns the payload in an array of its own, or in one that the content shares. */
    public byte[] payload() {
        if (bytes.arrayOffset() + bytes.position() == 0 && bytes.remaining() == bytes.array().length) {
            return bytes.array();
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }

    /** Returns the length of the payload in bytes. */
    public int length() {
        return bytes.remaining();
    }

    /** Returns the approximate length of the payload without its encoding: the length that the producer sees. */
    public int written() {
        return switch (body.kind()) {
            case JMS_TEXT, JMS_BYTES, MQTT, BYTES -> length();
            default -> Math.max(0, length() - MOST_ENCODING);
        };
    }
}
