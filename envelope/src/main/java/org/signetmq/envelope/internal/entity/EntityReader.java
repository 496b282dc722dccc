/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.Segment;

/** Parses entities, one after the other. For one thread. */
public final class EntityReader {
    private static final String DEFAULT_TYPE = "application/octet-stream";
    private static final int ID_LENGTH = 2 * HeaderWriter.MESSAGE_ID_LENGTH;

    private static final byte[] NO_BYTES = {};

    private final HeaderParser lines = new HeaderParser();

    /** Reads the header of an entity, and returns its payload, still encoded. */
    public Slice header(Slice entity) {
        int payload = lines.read(entity.array(), entity.offset(), entity.length());
        return new Slice(entity.array(), payload, entity.offset() + entity.length() - payload);
    }

    /** Decodes the payload behind the header that was read last, into a new array. */
    public byte[] payload(Slice encoded) {
        return lines.encoding.value() == null
                ? encoded.copy()
                : decoded(encoded).array();
    }

    /**
     * Decodes the payload behind the header that was read last. Returns the argument if it is not encoded.
     *
     * @throws MalformedEnvelopeException if the payload is not encoded as the header says
     */
    public Slice decoded(Slice payload) {
        String encoding = lines.encoding.value();
        if (encoding == null) {
            return payload;
        }
        Malformed.when(
                !encoding.equals(Deflation.NAME) || lines.segment.value() != null,
                "entity: its Signet-Encoding is not deflate, or it is a segment");
        return Slice.of(Deflation.inflate(payload));
    }

    /** The address in the header that was read last. */
    public String address() {
        return lines.address.required();
    }

    /** The entity of the header that was read last, without its payload. */
    public Entity head() {
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
            char c = value.charAt(i);
            sound = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        }
        Malformed.when(!sound, "entity: its Message-ID is not 32 hex digits");
        return value.substring(1, ID_LENGTH + 1);
    }
}
