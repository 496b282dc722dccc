/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.PayloadEncoding;
import org.signetmq.envelope.message.Segment;

/** Writes the header lines of an entity into a reused buffer. For one thread. */
public final class HeaderWriter {
    /** Bytes of a Message-ID, which the header holds as hex digits. */
    public static final int MESSAGE_ID_LENGTH = 16;

    private static final byte[] CONTENT_TYPE = HeaderName.start(HeaderName.CONTENT_TYPE);
    private static final byte[] BINARY_AND_ID =
            ("\r\n" + HeaderName.TRANSFER_ENCODING + ": binary\r\n" + HeaderName.MESSAGE_ID + ": <").getBytes(US_ASCII);
    private static final byte[] VERSION_AND_ADDRESS =
            (">\r\n" + HeaderName.VERSION + ": 1\r\n" + HeaderName.ADDRESS + ": ").getBytes(US_ASCII);
    private static final byte[] BODY = ("\r\n" + HeaderName.BODY + ": ").getBytes(US_ASCII);
    private static final byte[] ENCODING = ("\r\n" + HeaderName.ENCODING + ": " + Deflation.NAME).getBytes(US_ASCII);
    private static final byte[] SENDER = ("\r\n" + HeaderName.SENDER + ": ").getBytes(US_ASCII);
    private static final byte[] POLICY = ("\r\n" + HeaderName.POLICY + ": ").getBytes(US_ASCII);
    private static final byte[] SEGMENT = ("\r\n" + HeaderName.SEGMENT + ": ").getBytes(US_ASCII);
    private static final byte[] PROPERTY = ("\r\n" + HeaderName.PROPERTY_PREFIX).getBytes(US_ASCII);
    private static final byte[] COLON = {':', ' '};
    private static final byte[] END = {'\r', '\n', '\r', '\n'};
    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);

    private final LastEncoded contentType = new LastEncoded();
    private final LastEncoded address = new LastEncoded();
    private final LastEncoded sender = new LastEncoded();
    private byte[] buffer = new byte[1024];
    private int length;

    /**
     * Writes all lines and the blank line. The Message-ID has 16 bytes; the policy's reference is percent-encoded
     * already.
     */
    public void write(ClearMessage message, byte[] messageId, String policy, @Nullable Segment segment) {
        length = 0;
        append(CONTENT_TYPE);
        append(contentType.encode(message.body().contentType()));
        append(BINARY_AND_ID);
        appendHex(messageId);
        append(VERSION_AND_ADDRESS);
        append(address.encode(message.address()));
        append(BODY);
        append(message.body().kind().wireName());
        if (message.body().encoding() == PayloadEncoding.DEFLATE) {
            append(ENCODING);
        }
        if (message.sender() != null) {
            append(SENDER);
            append(sender.encode(message.sender()));
        }
        append(POLICY);
        append(policy);
        if (segment != null) {
            append(SEGMENT);
            append(segment.toString());
        }
        if (!message.properties().isEmpty()) {
            appendProperties(message.properties());
        }
        append(END);
    }

    public byte[] buffer() {
        return buffer;
    }

    public int length() {
        return length;
    }

    private void appendProperties(Map<String, String> properties) {
        new TreeMap<>(properties).forEach((name, value) -> { // sorted: the same message, the same bytes
            append(PROPERTY);
            append(name);
            append(COLON);
            append(PercentEncoding.encode(value));
        });
    }

    private void append(byte[] bytes) {
        reserve(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
    }

    @SuppressWarnings(
            "deprecation") // String.getBytes(int, int, byte[], int) is the one copy without garbage; text is ASCII
    private void append(String ascii) {
        reserve(ascii.length());
        ascii.getBytes(0, ascii.length(), buffer, length);
        length += ascii.length();
    }

    private void appendHex(byte[] bytes) {
        reserve(2 * bytes.length);
        for (byte b : bytes) {
            buffer[length++] = HEX[(b >> 4) & 0xF];
            buffer[length++] = HEX[b & 0xF];
        }
    }

    private void reserve(int more) {
        if (length + more > HeaderName.MOST_HEADER_BYTES) {
            throw new IllegalArgumentException("message: address, sender, policy and properties need more than the "
                    + HeaderName.MOST_HEADER_BYTES + " bytes that a header may have");
        }
        if (length + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, length + more));
        }
    }

    /**
     * Encodes a value, unless it equals the last one: successive messages mostly have the same address, sender and
     * type.
     */
    private static final class LastEncoded {
        private String value = "";
        private String encoded = "";

        String encode(String next) {
            if (!next.equals(value)) {
                encoded = PercentEncoding.encode(next);
                value = next;
            }
            return encoded;
        }
    }
}
