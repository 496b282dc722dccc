/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.ContentTypes;

/**
 * The body sections and the footer of an AMQP 1.0 message (section 3.2), encoded. Recognises a single text and a single
 * run of bytes, so that every consumer can read them. Any other content stays as it is.
 */
public final class AmqpSections {
    private static final int JMS_OBJECT_TYPE = 1;
    private static final int JMS_BYTES_TYPE = 3;
    private static final int JMS_TEXT_TYPE = 5;

    /** The largest number of bytes before the value of a section. */
    static final int LONGEST_HEAD = 8;

    /** A described type with a small ulong as descriptor. The descriptor and the code of the value follow. */
    private static final byte[] DESCRIBED = {0x00, 0x53};

    private static final byte DATA = 0x75;
    private static final byte VALUE = 0x77;

    private final byte[] encoded;

    public AmqpSections(byte[] encoded) {
        this.encoded = encoded;
    }

    /** The encoding of one section, with the codes of a short and of a long value. */
    private record Shape(byte descriptor, byte shortCode, byte longCode) {
        static final Shape ONE_DATA = new Shape(DATA, (byte) 0xa0, (byte) 0xb0);
        static final Shape ONE_STRING = new Shape(VALUE, (byte) 0xa1, (byte) 0xb1);
    }

    /**
     * Where the content begins, if the section that begins so is one of bytes and the last one.
     *
     * @param length how many bytes of the head there are
     * @param whole how long it is from the head to the end of the message
     */
    static OptionalLong startOfOnlyData(byte[] head, int length, long whole) {
        if (length < LONGEST_HEAD
                || !Arrays.equals(head, 0, 2, DESCRIBED, 0, 2)
                || head[2] != Shape.ONE_DATA.descriptor()) {
            return OptionalLong.empty();
        }
        if (head[3] == Shape.ONE_DATA.shortCode() && (head[4] & 0xff) == whole - 5) {
            return OptionalLong.of(5);
        }
        return head[3] == Shape.ONE_DATA.longCode() && ByteBuffer.wrap(head).getInt(4) == whole - 8
                ? OptionalLong.of(8)
                : OptionalLong.empty();
    }

    int length() {
        return encoded.length;
    }

    /** The bytes, if the body is one data section and no footer follows. */
    public Optional<byte[]> onlyData() {
        return only(Shape.ONE_DATA);
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
        if (serialized && length > 0 && (jmsType == null || jmsType == JMS_OBJECT_TYPE)) { // nothing would be null
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
        if (encoded.length < 5 || !Arrays.equals(encoded, 0, 2, DESCRIBED, 0, 2) || encoded[2] != shape.descriptor()) {
            return Optional.empty();
        }
        if (encoded[3] == shape.shortCode() && (encoded[4] & 0xff) == encoded.length - 5) {
            return Optional.of(Arrays.copyOfRange(encoded, 5, encoded.length));
        }
        if (encoded[3] == shape.longCode()
                && encoded.length >= 8
                && ByteBuffer.wrap(encoded).getInt(4) == encoded.length - 8) {
            return Optional.of(Arrays.copyOfRange(encoded, 8, encoded.length));
        }
        return Optional.empty();
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
