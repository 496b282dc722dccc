/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.Slice;
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
}
