/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message before it is sealed.
 *
 * @param address the address it is sealed for
 * @param body what its payload is
 * @param payload the payload; not copied, not changed, not kept
 * @param sender the user that the broker authenticated, or null
 * @param properties further facts that a consumer restores, as headers Signet-Property-NAME; NAME is letters, digits
 *     and hyphens
 */
public record ClearMessage(
        String address, Body body, byte[] payload, @Nullable String sender, Map<String, String> properties) {

    /**
     * What a payload is.
     *
     * @param kind what it is to the messaging system
     * @param contentType its MIME type, such as {@code text/plain; charset=utf-8}
     */
    public record Body(BodyKind kind, String contentType) {
        /** UTF-8 text. */
        public static final Body TEXT = new Body(BodyKind.JMS_TEXT, "text/plain; charset=utf-8");

        /** Bytes. */
        public static final Body BYTES = new Body(BodyKind.BYTES, "application/octet-stream");
    }

    public ClearMessage {
        properties = Map.copyOf(properties);
    }

    /** A message without sender and properties. */
    public static ClearMessage of(String address, Body body, byte[] payload) {
        return new ClearMessage(address, body, payload, null, Map.of());
    }
}
