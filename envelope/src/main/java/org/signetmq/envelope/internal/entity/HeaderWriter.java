/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.Objects;
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

    private static final String MESSAGE_ID = "\r\n" + HeaderName.MESSAGE_ID + ": <";
    private static final String ADDRESS = ">\r\n" + HeaderName.ADDRESS + ": ";
    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);

    private final LastEncoded contentType = new LastEncoded();
    private final LastEncoded address = new LastEncoded();
    private final LastEncoded sender = new LastEncoded();
    private byte[] buffer = new byte[1024];
    private int length;
    private int idAt;
    private int addressAt;
    private int addressLength;

    /**
     * The values in the buffer. Message-ID and address are not among them, because they change with each message of a
     * producer that replies. Null if others change too.
     */
    private @Nullable Values written;

    /** The values of a header without segment and properties. */
    private record Values(ClearMessage.Body body, @Nullable String sender, String policy) {
        boolean areOf(ClearMessage message, String otherPolicy) {
            return policy.equals(otherPolicy)
                    && Objects.equals(sender, message.sender())
                    && body.equals(message.body());
        }
    }

    /** Writes all lines and the blank line. The Message-ID has 16 bytes; the policy is percent-encoded. */
    public void write(ClearMessage message, byte[] messageId, String policy, @Nullable Segment segment) {
        boolean plain = segment == null && message.properties().isEmpty();
        Values last = written;
        written = null;
        if (plain && last != null && last.areOf(message, policy)) {
            writeHex(messageId, idAt);
            replaceAddress(address.encode(message.address()));
            written = last;
            return;
        }
        writeAll(message, messageId, policy, segment);
        if (plain) {
            written = new Values(message.body(), message.sender(), policy);
        }
    }

    @SuppressWarnings("deprecation") // as in append
    private void replaceAddress(String encoded) {
        int more = encoded.length() - addressLength;
        int behind = addressAt + addressLength;
        if (more != 0) {
            reserve(more);
            System.arraycopy(buffer, behind, buffer, behind + more, length - behind);
            length += more;
            addressLength = encoded.length();
        }
        encoded.getBytes(0, encoded.length(), buffer, addressAt);
    }

    private void writeAll(ClearMessage message, byte[] messageId, String policy, @Nullable Segment segment) {
        length = 0;
        append(HeaderName.COMMITTING_LINES + HeaderName.CONTENT_TYPE + ": ");
        append(contentType.encode(message.body().contentType()));
        append(MESSAGE_ID);
        idAt = length;
        reserve(2 * messageId.length);
        writeHex(messageId, idAt);
        length += 2 * messageId.length;
        append(ADDRESS);
        addressAt = length;
        append(address.encode(message.address()));
        addressLength = length - addressAt;
        append("\r\n" + HeaderName.BODY + ": ");
        append(message.body().kind().wireName());
        if (message.body().encoding() == PayloadEncoding.DEFLATE) {
            append("\r\n" + HeaderName.ENCODING + ": " + Deflation.NAME);
        }
        if (message.sender() != null) {
            append("\r\n" + HeaderName.SENDER + ": ");
            append(sender.encode(message.sender()));
        }
        append("\r\n" + HeaderName.POLICY + ": ");
        append(policy);
        if (segment != null) {
            append("\r\n" + HeaderName.SEGMENT + ": ");
            append(segment.toString());
        }
        if (!message.properties().isEmpty()) {
            new TreeMap<>(message.properties())
                    .forEach(this::appendProperty); // sorted, so that equal messages have equal headers
        }
        append("\r\n\r\n");
    }

    public byte[] buffer() {
        return buffer;
    }

    public int length() {
        return length;
    }

    private void appendProperty(String name, String value) {
        append("\r\n" + HeaderName.PROPERTY_PREFIX);
        append(name);
        append(": ");
        append(PercentEncoding.encode(value));
    }

    @SuppressWarnings(
            "deprecation") // String.getBytes(int, int, byte[], int) is the one copy without garbage; text is ASCII
    private void append(String ascii) {
        reserve(ascii.length());
        ascii.getBytes(0, ascii.length(), buffer, length);
        length += ascii.length();
    }

    private void writeHex(byte[] bytes, int start) {
        int at = start;
        for (byte b : bytes) {
            buffer[at++] = HEX[(b >> 4) & 0xF];
            buffer[at++] = HEX[b & 0xF];
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

    /** Encodes a value, or returns the last result, because successive messages mostly have equal values. */
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
