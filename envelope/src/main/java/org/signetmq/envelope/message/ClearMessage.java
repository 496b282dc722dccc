/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.internal.format.Limits;

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
     * @param encoding how it travels
     */
    public record Body(BodyKind kind, String contentType, PayloadEncoding encoding) {
        /** UTF-8 text. */
        public static final Body TEXT = new Body(BodyKind.JMS_TEXT, "text/plain; charset=utf-8");

        /** Bytes. */
        public static final Body BYTES = new Body(BodyKind.BYTES, "application/octet-stream");

        /** A payload that travels as it is. */
        public Body(BodyKind kind, String contentType) {
            this(kind, contentType, PayloadEncoding.NONE);
        }

        /** The same, deflated on its way. */
        public Body deflated() {
            return new Body(kind, contentType, PayloadEncoding.DEFLATE);
        }
    }

    /** As many as fit into the lines of a header beside those that have a name of their own. */
    private static final int MOST_PROPERTIES = Limits.HEADER_LINES - 10;

    public ClearMessage {
        properties = Map.copyOf(properties);
        if (!properties.isEmpty()) {
            requireNames(properties.keySet());
        }
    }

    /** Names become part of a header line as they are, and header names do not differ by case. */
    private static void requireNames(Set<String> names) {
        if (names.size() > MOST_PROPERTIES) {
            throw new IllegalArgumentException("message: more than " + MOST_PROPERTIES + " properties");
        }
        Set<String> distinct = new HashSet<>();
        for (String name : names) {
            if (!HeaderName.isPropertyName(name)) {
                throw new IllegalArgumentException("property: its name is not of letters, digits and hyphens");
            }
            if (!distinct.add(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("property: two names differ by case alone");
            }
        }
    }

    /** A message without sender and properties. */
    public static ClearMessage of(String address, Body body, byte[] payload) {
        return new ClearMessage(address, body, payload, null, Map.of());
    }
}
