/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.internal.format.Limits;

/**
 * A message before it is sealed.
 *
 * @param address the address it is sealed for
 * @param body the kind and the encoding of the payload
 * @param payload the payload; sealing neither changes nor keeps the array
 * @param sender the user that the broker authenticated, or null
 * @param properties values that a consumer restores, by names of letters, digits and hyphens; header lines
 *     Signet-Property-NAME carry them
 * @param messageId 32 hex digits that are unique, such as {@code Sealer.newMessageId} returns; null for a new
 *     identifier
 */
public record ClearMessage(
        String address,
        Body body,
        byte[] payload,
        @Nullable String sender,
        Map<String, String> properties,
        @Nullable String messageId) {

    /**
     * The kind and the encoding of a payload.
     *
     * @param kind the kind of body for the messaging system
     * @param contentType its MIME type, such as {@code text/plain; charset=utf-8}
     * @param encoding the encoding inside the envelope
     */
    public record Body(BodyKind kind, String contentType, PayloadEncoding encoding) {
        /** UTF-8 text. */
        public static final Body TEXT = new Body(BodyKind.JMS_TEXT, "text/plain; charset=utf-8");

        /** Bytes. */
        public static final Body BYTES = new Body(BodyKind.BYTES, "application/octet-stream");

        /** A body that is not encoded. */
        public Body(BodyKind kind, String contentType) {
            this(kind, contentType, PayloadEncoding.NONE);
        }

        /** The same body, deflated inside the envelope. */
        public Body deflated() {
            return new Body(kind, contentType, PayloadEncoding.DEFLATE);
        }
    }

    private static final Pattern MESSAGE_ID = Pattern.compile("[0-9a-f]{32}");

    /** The header lines that remain beside those with a name of their own. */
    private static final int MOST_PROPERTIES = Limits.HEADER_LINES - 10;

    public ClearMessage {
        properties = Map.copyOf(properties);
        if (!properties.isEmpty()) {
            requireNames(properties.keySet());
        }
        if (messageId != null && !MESSAGE_ID.matcher(messageId).matches()) {
            throw new IllegalArgumentException("message: its identifier must have 32 hex digits");
        }
    }

    /** A message that gets a new identifier when it is sealed. */
    public ClearMessage(
            String address, Body body, byte[] payload, @Nullable String sender, Map<String, String> properties) {
        this(address, body, payload, sender, properties, null);
    }

    /** The writer copies names into header lines unchanged, and names of header lines ignore case. */
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
                throw new IllegalArgumentException("property: two names differ only by case");
            }
        }
    }

    /** A message without sender and properties. */
    public static ClearMessage of(String address, Body body, byte[] payload) {
        return new ClearMessage(address, body, payload, null, Map.of());
    }
}
