/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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
        return copyOf(bytes);
    }

    /** Returns the remaining bytes of a buffer, which stays as it is, in an array of their own. */
    public static byte[] copyOf(ByteBuffer bytes) {
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

    /** Content types of payloads. */
    public static final class ContentTypes {
        public static final String BINARY = "application/octet-stream";
        public static final String SERIALIZED_OBJECT = "application/x-java-serialized-object";

        /** The property with the producer's own content type. */
        public static final String PROPERTY = "Content-Type";

        /** A content type with parameters (RFC 2045 section 5.1) that fits one short header line. */
        private static final Pattern MIME = Pattern.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+"
                + "(; ?[A-Za-z0-9!#$&^_.+-]+=[A-Za-z0-9!#$&^_.+-]+){0,4}");

        private static final int LONGEST = 127;

        private ContentTypes() {}

        /** Returns the producer's content type if it is valid, or else the content type of bytes. */
        public static String usable(@Nullable String given) {
            return given != null
                            && given.length() <= LONGEST
                            && MIME.matcher(given).matches()
                    ? given
                    : BINARY;
        }
    }
}
