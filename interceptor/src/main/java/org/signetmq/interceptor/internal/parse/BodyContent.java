/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.util.Map;
import org.signetmq.envelope.message.ClearMessage;

/**
 * The content of a clear message, in a form that every consumer can rebuild.
 *
 * @param body the kind of the payload
 * @param payload the payload
 * @param properties further values that a consumer restores
 */
public record BodyContent(ClearMessage.Body body, byte[] payload, Map<String, String> properties) {
    /** The bytes that the encoding of a map, a stream or an object may add. */
    private static final int MOST_ENCODING = 64 << 10;

    public static BodyContent of(ClearMessage.Body body, byte[] payload) {
        return new BodyContent(body, payload, Map.of());
    }

    /** Returns the approximate length of the payload without its encoding: the length that the producer sees. */
    public int written() {
        return switch (body.kind()) {
            case JMS_TEXT, JMS_BYTES, MQTT, BYTES -> payload.length;
            default -> Math.max(0, payload.length - MOST_ENCODING);
        };
    }
}
