/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.util.Map;
import org.signetmq.envelope.message.ClearMessage;

/**
 * What a message in clear says, in a form that every consumer can rebuild.
 *
 * @param body what the payload is
 * @param payload the payload
 * @param properties what else a consumer restores
 */
public record BodyContent(ClearMessage.Body body, byte[] payload, Map<String, String> properties) {
    /** What the encoding of a map, a stream or an object may add to what is in it, in bytes. */
    private static final int MOST_ENCODING = 64 << 10;

    static BodyContent of(ClearMessage.Body body, byte[] payload) {
        return new BodyContent(body, payload, Map.of());
    }

    /** How long the payload is, about, without what its encoding added: as long as its producer believes. */
    public int written() {
        return switch (body.kind()) {
            case JMS_TEXT, JMS_BYTES, MQTT, BYTES -> payload.length;
            default -> Math.max(0, payload.length - MOST_ENCODING);
        };
    }
}
