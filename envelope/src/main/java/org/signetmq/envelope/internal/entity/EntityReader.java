/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.KnownHeaders.KnownHeader;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.Segment;

/** Parses entities, one after the other. For one thread. */
public final class EntityReader {
    private static final String DEFAULT_TYPE = "application/octet-stream";

    /** The number of digits of a Message-ID. */
    static final int ID_LENGTH = 2 * HeaderWriter.MESSAGE_ID_LENGTH;

    private static final byte[] NO_BYTES = {};

    private static final byte[] NOTHING_READ = {};

    private final HeaderParser lines = new HeaderParser();
    private final KnownHeaders known = new KnownHeaders();

    /** The header that was read last; null while only its lines are read. */
    private @Nullable KnownHeader current;

    private String messageId = "";
    private String address = "";

    /** The bytes of the header whose lines were read last, and their offset at that time. */
    private byte[] read = NOTHING_READ;

    private int readAt;

    /** Reads the header of an entity with an unknown address, and returns its payload, still encoded. */
    public Slice header(Slice entity) {
        current = null;
        return behind(entity, split(entity));
    }

    /**
     * Reads the header of an entity, and returns its payload, still encoded. The address may be another one, which only
     * takes more time.
     *
     * @param expected the address that the message should have
     */
    public Slice header(Slice entity, String expected) {
        String encoded = PercentEncoding.encode(expected);
        current = PercentEncoding.isEncoding(encoded, expected)
                ? known.find(encoded, entity.array(), entity.offset(), entity.length())
                : null;
        if (current == null) {
            return behind(entity, split(entity));
        }
        messageId = current.messageId(entity.array(), entity.offset());
        address = expected;
        return behind(entity, entity.offset() + current.length(encoded.length()));
    }

    private int split(Slice entity) {
        int payload = lines.read(entity.array(), entity.offset(), entity.length());
        read = Arrays.copyOfRange(entity.array(), entity.offset(), payload);
        readAt = entity.offset();
        return payload;
    }

    private static Slice behind(Slice entity, int payload) {
        return new Slice(entity.array(), payload, entity.offset() + entity.length() - payload);
    }

    /** Decodes the payload behind the header that was read last, into a new array. */
    public byte[] payload(Slice encoded) {
        return encoding() == null ? encoded.copy() : decoded(encoded).array();
    }

    private @Nullable String encoding() {
        return current == null ? lines.encoding.value() : current.encoding();
    }

    /**
     * Decodes the payload behind the header that was read last. Returns the argument if it is not encoded.
     *
     * @throws MalformedEnvelopeException if the payload is not encoded as the header says
     */
    public Slice decoded(Slice payload) {
        String encoding = encoding();
        if (encoding == null) {
            return payload;
        }
        boolean isSegment =
                current == null ? lines.segment.value() != null : current.head().segment() != null;
        Malformed.when(
                !encoding.equals(Deflation.NAME) || isSegment,
                "entity: its Signet-Encoding is not deflate, or it is a segment");
        return Slice.of(Deflation.inflate(payload));
    }

    /** The address in the header that was read last. */
    public String address() {
        return current == null ? lines.address.required() : address;
    }

    /** The position in a large message, in the header that was read last; null for a whole message. */
    public @Nullable Segment segment() {
        return current().head().segment();
    }

    /** The entity of the header that was read last, without its payload. */
    public Entity head() {
        return entity(NO_BYTES);
    }

    /** The entity of the header that was read last, with this payload. */
    public Entity entity(byte[] payload) {
        return current().entity(messageId, address, payload);
    }

    private KnownHeader current() {
        if (current == null) {
            Entity head = ofLines();
            messageId = head.messageId();
            address = head.address();
            current = new KnownHeader(read, places(), head, lines.encoding.value());
            known.remember(current);
        }
        return current;
    }

    private KnownHeader.Places places() {
        int start = lines.address.start() - readAt;
        return new KnownHeader.Places(
                lines.messageId.start() + 1 - readAt, start, start + lines.address.encodedLength());
    }

    private Entity ofLines() {
        Malformed.when(!"1".equals(lines.version.value()), "entity: its Signet-Version is not 1");
        String encoding = lines.transferEncoding.value();
        Malformed.when(
                encoding != null && !encoding.equalsIgnoreCase("binary"),
                "entity: its Content-Transfer-Encoding is not binary");
        String type = lines.contentType.value();
        String segment = lines.segment.value();
        return new Entity(
                type == null ? DEFAULT_TYPE : type,
                messageId(lines.messageId.required()),
                lines.address.required(),
                lines.body.required(),
                new Entity.Attribution(lines.sender.value(), lines.policy.value()),
                segment == null ? null : Segment.parse(segment),
                lines.properties(),
                NO_BYTES);
    }

    private static String messageId(String value) {
        boolean sound = value.length() == ID_LENGTH + 2 && value.charAt(0) == '<' && value.charAt(ID_LENGTH + 1) == '>';
        for (int i = 1; sound && i <= ID_LENGTH; i++) {
            sound = isDigit(value.charAt(i));
        }
        Malformed.when(!sound, "entity: its Message-ID is not 32 hex digits");
        return value.substring(1, ID_LENGTH + 1);
    }

    static boolean isDigit(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }

    /** Splits the header of an entity into lines, and is reused for the next one. For one thread. */
    private static final class HeaderParser {
        final HeaderLine contentType = new HeaderLine(HeaderName.CONTENT_TYPE);
        final HeaderLine transferEncoding = new HeaderLine(HeaderName.TRANSFER_ENCODING);
        final HeaderLine messageId = new HeaderLine(HeaderName.MESSAGE_ID);
        final HeaderLine version = new HeaderLine(HeaderName.VERSION);
        final HeaderLine address = new HeaderLine(HeaderName.ADDRESS);
        final HeaderLine body = new HeaderLine(HeaderName.BODY);
        final HeaderLine encoding = new HeaderLine(HeaderName.ENCODING);
        final HeaderLine sender = new HeaderLine(HeaderName.SENDER);
        final HeaderLine policy = new HeaderLine(HeaderName.POLICY);
        final HeaderLine segment = new HeaderLine(HeaderName.SEGMENT);

        private final List<HeaderLine> known = List.of(
                contentType, transferEncoding, messageId, version, address, body, encoding, sender, policy, segment);
        private final Map<String, String> properties = new HashMap<>();
        private final Set<String> others = new HashSet<>();

        private Map<String, String> lastProperties = Map.of();

        /**
         * Reads the header at the start of these bytes.
         *
         * @return the index of the first byte of the payload
         * @throws MalformedEnvelopeException if the header is not of the format
         */
        int read(byte[] bytes, int offset, int length) {
            known.forEach(HeaderLine::clear);
            properties.clear();
            others.clear();
            int payload = split(bytes, offset, length);
            lastProperties = Map.copyOf(properties);
            return payload;
        }

        private int split(byte[] bytes, int offset, int length) {
            int limit = offset + Math.min(length, HeaderName.MOST_HEADER_BYTES);
            int start = offset;
            for (int lines = 0; ; lines++) {
                int end = lineEnd(bytes, start, limit);
                if (end == start) {
                    return end + 2;
                }
                Malformed.when(
                        lines == Limits.HEADER_LINES,
                        "entity: a header of more than " + Limits.HEADER_LINES + " lines");
                line(bytes, start, end);
                start = end + 2;
            }
        }

        private static int lineEnd(byte[] bytes, int start, int limit) {
            for (int i = start; i + 1 < limit; i++) {
                byte b = bytes[i];
                if (b < ' ' || b > '~') {
                    if (b == '\r' && bytes[i + 1] == '\n') {
                        return i;
                    }
                    throw new MalformedEnvelopeException(
                            "entity: a header line has other characters than printable ASCII");
                }
            }
            throw new MalformedEnvelopeException(
                    "entity: no end of the header within " + HeaderName.MOST_HEADER_BYTES + " bytes");
        }

        private void line(byte[] bytes, int start, int end) {
            int colon = start;
            while (colon < end && bytes[colon] != ':') {
                colon++;
            }
            Malformed.when(
                    colon == start || colon + 1 >= end || bytes[colon + 1] != ' ', "entity: a header line has no name");
            for (HeaderLine line : known) {
                if (line.isNamed(bytes, start, colon)) {
                    line.set(bytes, colon + 2, end);
                    return;
                }
            }
            String name = new String(bytes, start, colon - start, US_ASCII);
            other(name, new String(bytes, colon + 2, end - colon - 2, US_ASCII));
        }

        /** Keeps a property, ignores a foreign line, and rejects an unknown Signet line: it may change the meaning. */
        private void other(String name, String value) {
            if (!others.add(name.toLowerCase(Locale.ROOT))) {
                throw HeaderLine.twice();
            }
            int prefix = HeaderName.PROPERTY_PREFIX.length();
            if (name.regionMatches(true, 0, HeaderName.PROPERTY_PREFIX, 0, prefix)) {
                String property = name.substring(prefix);
                Malformed.when(
                        !HeaderName.isPropertyName(property),
                        "entity: a property's name is not of letters, digits and hyphens");
                properties.put(property, PercentEncoding.decode(value));
            } else {
                boolean ours = name.regionMatches(true, 0, HeaderName.OUR_PREFIX, 0, HeaderName.OUR_PREFIX.length());
                Malformed.when(ours, "entity: unknown Signet header line");
            }
        }

        /** The Signet-Property lines by name. */
        Map<String, String> properties() {
            return lastProperties;
        }

        /** A known header line with its last value, which the next message mostly repeats. For one thread. */
        static final class HeaderLine {
            private final String name;
            private final byte[] lowerCase;

            private boolean present;
            private int start;
            private byte[] bytes = new byte[0];
            private String decoded = "";

            HeaderLine(String name) {
                this.name = name;
                this.lowerCase = name.toLowerCase(Locale.ROOT).getBytes(US_ASCII);
            }

            /** Tells whether these bytes are the name, in upper or lower case. */
            boolean isNamed(byte[] source, int start, int end) {
                if (lowerCase.length != end - start) {
                    return false;
                }
                for (int i = 0; i < lowerCase.length; i++) {
                    byte b = source[start + i];
                    if ((b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b) != lowerCase[i]) {
                        return false;
                    }
                }
                return true;
            }

            void clear() {
                present = false;
            }

            /** Sets the value, which must be percent-encoded. Rejects a second value. */
            void set(byte[] source, int from, int to) {
                if (present) {
                    throw twice();
                }
                present = true;
                start = from;
                if (!Arrays.equals(source, from, to, bytes, 0, bytes.length)) {
                    decoded = PercentEncoding.decode(new String(source, from, to - from, US_ASCII));
                    bytes = Arrays.copyOfRange(
                            source, from, to); // last, so that a failed value is not taken for a known one
                }
            }

            static MalformedEnvelopeException twice() {
                return new MalformedEnvelopeException("entity: a header line is repeated");
            }

            /** The position of the value. */
            int start() {
                return start;
            }

            /** The length of the value in bytes, percent-encoded. */
            int encodedLength() {
                return bytes.length;
            }

            /** The value, percent-decoded, or null if the line is missing. */
            @Nullable
            String value() {
                return present ? decoded : null;
            }

            /** The value of a required line. */
            String required() {
                if (!present) {
                    throw new MalformedEnvelopeException("entity: header line " + name + " is missing");
                }
                return decoded;
            }
        }
    }
}
