/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.BodyContent.ContentTypes;

/**
 * The encoded body sections and the footer of an AMQP 1.0 message (section 3.2). A body of one text or of one data
 * section becomes a text or bytes for every consumer. Any other body stays encoded.
 */
public final class AmqpSections {
    private static final int JMS_OBJECT_TYPE = 1;
    private static final int JMS_BYTES_TYPE = 3;
    private static final int JMS_TEXT_TYPE = 5;

    /** The number of bytes before a short value of a section. */
    private static final int SHORT_HEAD = 5;

    /** The number of bytes before a long value of a section. */
    static final int LONG_HEAD = 8;

    /** The beginning of a described type whose descriptor is a small ulong. */
    private static final byte[] DESCRIBED = {0x00, 0x53};

    private static final byte DATA = 0x75;
    private static final byte VALUE = 0x77;

    private final byte[] encoded;

    public AmqpSections(byte[] encoded) {
        this.encoded = encoded;
    }

    /** The descriptor of a section, and the type codes of a short and of a long value. */
    private record Shape(byte descriptor, byte shortCode, byte longCode) {
        static final Shape ONE_DATA = new Shape(DATA, (byte) 0xa0, (byte) 0xb0);
        static final Shape ONE_STRING = new Shape(VALUE, (byte) 0xa1, (byte) 0xb1);
    }

    /**
     * Returns the start of the content in a body of one data section; empty for another body.
     *
     * @param head the first bytes of the body
     * @param available the number of these bytes
     * @param length the length of the body with its footer, in bytes
     */
    static OptionalInt startOfOnlyData(byte[] head, int available, long length) {
        return startOfContent(Shape.ONE_DATA, head, available, length);
    }

    private static OptionalInt startOfContent(Shape shape, byte[] head, int available, long length) {
        if (available < SHORT_HEAD || !Arrays.equals(head, 0, 2, DESCRIBED, 0, 2) || head[2] != shape.descriptor()) {
            return OptionalInt.empty();
        }
        if (head[3] == shape.shortCode() && (head[4] & 0xff) == length - SHORT_HEAD) {
            return OptionalInt.of(SHORT_HEAD);
        }
        return head[3] == shape.longCode()
                        && available >= LONG_HEAD
                        && ByteBuffer.wrap(head).getInt(4) == length - LONG_HEAD
                ? OptionalInt.of(LONG_HEAD)
                : OptionalInt.empty();
    }

    int length() {
        return encoded.length;
    }

    /** Returns the bytes of a body of one data section without footer; empty for another body. */
    public Optional<byte[]> onlyData() {
        return only(Shape.ONE_DATA);
    }

    /** Returns the bytes from the content of a first section of binary data; empty if that is of another kind. */
    Optional<ByteBuffer> beginning() {
        int code = startOfValue();
        int start = code;
        if (code > 0 && code < encoded.length) {
            start += encoded[code] == Shape.ONE_DATA.shortCode() ? 2 : 0;
            start += encoded[code] == Shape.ONE_DATA.longCode() ? 1 + Integer.BYTES : 0;
        }
        return start > code && start < encoded.length
                ? Optional.of(ByteBuffer.wrap(encoded, start, encoded.length - start))
                : Optional.empty();
    }

    /** Returns the position behind the descriptor of the first section, in any encoding of it; -1 if it has none. */
    private int startOfValue() {
        if (encoded.length < SHORT_HEAD || encoded[0] != 0) {
            return -1;
        }
        return switch (encoded[1] & 0xff) {
            case 0x53 -> 3; // a small ulong
            case 0x80 -> 2 + Long.BYTES; // a ulong
            case 0xa3 -> 3 + (encoded[2] & 0xff); // a symbol
            default -> -1;
        };
    }

    /** Returns the content, typed by the producer's content type. */
    public BodyContent content(@Nullable String contentType, @Nullable Integer jmsType) {
        if (jmsType == null || jmsType == JMS_TEXT_TYPE) {
            Optional<byte[]> text = only(Shape.ONE_STRING).filter(AmqpSections::isUtf8);
            if (text.isPresent()) {
                return BodyContent.of(ClearMessage.Body.TEXT, text.get());
            }
        }
        return onlyData()
                .flatMap(data -> dataBody(contentType, jmsType, data.length).map(body -> BodyContent.of(body, data)))
                .orElseGet(() ->
                        BodyContent.of(new ClearMessage.Body(BodyKind.AMQP_SECTIONS, ContentTypes.BINARY), encoded));
    }

    private static Optional<ClearMessage.Body> dataBody(
            @Nullable String contentType, @Nullable Integer jmsType, int length) {
        boolean serialized = ContentTypes.SERIALIZED_OBJECT.equals(contentType);
        if (serialized && length > 0 && (jmsType == null || jmsType == JMS_OBJECT_TYPE)) { // an empty one would be null
            return Optional.of(new ClearMessage.Body(BodyKind.JMS_OBJECT, ContentTypes.SERIALIZED_OBJECT));
        }
        boolean bytes = jmsType == null
                ? contentType == null || contentType.equals(ContentTypes.BINARY)
                : jmsType == JMS_BYTES_TYPE;
        return bytes
                ? Optional.of(new ClearMessage.Body(BodyKind.JMS_BYTES, ContentTypes.usable(contentType)))
                : Optional.empty();
    }

    private Optional<byte[]> only(Shape shape) {
        OptionalInt start = startOfContent(shape, encoded, encoded.length, encoded.length);
        return start.isPresent()
                ? Optional.of(Arrays.copyOfRange(encoded, start.getAsInt(), encoded.length))
                : Optional.empty();
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
