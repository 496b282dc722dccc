/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.utils.DataConstants;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.parse.BodyContent.ContentTypes;
import org.signetmq.interceptor.internal.parse.BodyStage.ClearBodyStage;

/** Reads the body of a Core message: of one in memory as a whole, of a large one in parts. */
public final class CoreParsers {
    private static final int HEAD_OF_TEXT = 1 + Integer.BYTES;
    private static final ClearMessage.Body BYTES = body(BodyKind.JMS_BYTES);
    private static final ClearMessage.Body MAP = body(BodyKind.JMS_MAP);
    private static final ClearMessage.Body STREAM = body(BodyKind.JMS_STREAM);
    private static final ClearMessage.Body EMPTY = body(BodyKind.JMS_EMPTY);
    private static final ClearMessage.Body TEXT_AS_IT_IS = body(BodyKind.JMS_TEXT_CORE);
    private static final ClearMessage.Body OBJECT_AS_IT_IS = body(BodyKind.JMS_OBJECT_CORE);
    private static final ClearMessage.Body OBJECT =
            new ClearMessage.Body(BodyKind.JMS_OBJECT, ContentTypes.SERIALIZED_OBJECT);
    private static final ClearMessage.Body UTF_16_TEXT =
            new ClearMessage.Body(BodyKind.JMS_TEXT_UTF16, "text/plain; charset=utf-16be");
    static final ClearMessage.Body NULL_TEXT =
            new ClearMessage.Body(BodyKind.JMS_TEXT_NULL, ClearMessage.Body.TEXT.contentType());

    private CoreParsers() {}

    private static ClearMessage.Body body(BodyKind kind) {
        return new ClearMessage.Body(kind, ContentTypes.BINARY);
    }

    /**
     * Returns the parser for a body that arrives in parts. Only the end of a text or object tells whether it is encoded
     * as one. One that may be encoded in another way passes as it is.
     *
     * @param encoded whether a text or object surely has the encoding of its type
     */
    public static BodyStage forStream(byte type, boolean encoded, ClearBodyStage next) {
        return switch (encoded ? type : Message.DEFAULT_TYPE) {
            case Message.TEXT_TYPE -> new TextParser(next);
            case Message.OBJECT_TYPE -> new ObjectParser(next);
            default -> new AsItIs(type, next);
        };
    }

    /** Reads a body in memory: the remaining bytes of a buffer with an array, which the content may share. */
    public static BodyContent read(byte type, ByteBuffer body) throws MessageRejectedException {
        if (type == Message.TEXT_TYPE && isText(body)) {
            return text(body);
        }
        if (type == Message.OBJECT_TYPE && isObject(body)) {
            int head = Math.min(Integer.BYTES, body.remaining());
            return new BodyContent(OBJECT, body.duplicate().position(body.position() + head), Map.of());
        }
        return new BodyContent(kind(type, !body.hasRemaining()), body, Map.of());
    }

    /** Returns the kind of a body that passes as it is. */
    private static ClearMessage.Body kind(byte type, boolean empty) throws MessageRejectedException {
        return switch (type) {
            case Message.BYTES_TYPE -> BYTES;
            case Message.MAP_TYPE -> MAP;
            case Message.STREAM_TYPE -> STREAM;
            case Message.TEXT_TYPE -> TEXT_AS_IT_IS;
            case Message.OBJECT_TYPE -> OBJECT_AS_IT_IS;
            case Message.DEFAULT_TYPE -> empty ? EMPTY : BYTES;
            default -> throw new MessageRejectedException("Core messages of this type cannot be protected: " + type);
        };
    }

    /** Returns whether a whole body is the encoding of a text, or of none. */
    private static boolean isText(ByteBuffer body) {
        int from = body.position();
        return switch (body.remaining()) {
            case 0 -> true;
            case 1 -> body.get(from) == DataConstants.NULL;
            default ->
                body.remaining() >= HEAD_OF_TEXT
                        && body.get(from) == DataConstants.NOT_NULL
                        && body.getInt(from + 1) == body.remaining() - HEAD_OF_TEXT
                        && body.remaining() % Character.BYTES == HEAD_OF_TEXT % Character.BYTES;
        };
    }

    /** Converts a text to UTF-8, or to UTF-16 in big endian if it has half of a surrogate pair. */
    private static BodyContent text(ByteBuffer body) {
        if (body.remaining() < HEAD_OF_TEXT) {
            return BodyContent.of(NULL_TEXT, new byte[0]);
        }
        ByteBuffer utf16 = body.duplicate().position(body.position() + HEAD_OF_TEXT);
        CharBuffer chars = CharBuffer.allocate(utf16.remaining() / Character.BYTES)
                .put(utf16.order(ByteOrder.LITTLE_ENDIAN).asCharBuffer())
                .flip();
        ByteBuffer utf8 = ByteBuffer.allocate(lengthInUtf8(chars.array()));
        if (!StandardCharsets.UTF_8.newEncoder().encode(chars, utf8, true).isError()) {
            return new BodyContent(ClearMessage.Body.TEXT, utf8.flip(), Map.of());
        }
        ByteBuffer big = ByteBuffer.allocate(utf16.remaining());
        big.asCharBuffer().put(chars.rewind());
        return new BodyContent(UTF_16_TEXT, big, Map.of());
    }

    /** Returns the length of a text in UTF-8; two bytes for each half of a surrogate pair. */
    private static int lengthInUtf8(char[] text) {
        int length = text.length;
        for (char each : text) {
            if (each >= 0x80) {
                length += each < 0x800 || Character.isSurrogate(each) ? 1 : 2;
            }
        }
        return length;
    }

    /** Returns whether a whole body is the encoding of an object, or of none. */
    private static boolean isObject(ByteBuffer body) {
        return !body.hasRemaining()
                || (body.remaining() >= Integer.BYTES
                        && body.getInt(body.position()) == body.remaining() - Integer.BYTES);
    }

    /**
     * Passes a body on unchanged: bytes, a map, a stream or no body; also a text or an object that a Core producer may
     * have written in another way than clients of JMS, such as by {@code writeString}.
     */
    private record AsItIs(byte type, ClearBodyStage next) implements BodyStage {
        @Override
        public void add(byte[] bytes, int offset, int length) throws Exception {
            if (length > 0) {
                next.begin(kind(type, false));
                next.add(bytes, offset, length);
            }
        }

        @Override
        public void finish() throws Exception {
            next.begin(kind(type, true));
            next.finish();
        }

        @Override
        public void close() {
            next.close();
        }
    }

    /** Parses the body of an object message: empty for null, or else a length and the serialised object. */
    private static final class ObjectParser implements BodyStage {
        private final ClearBodyStage next;
        private final ByteBuffer head = ByteBuffer.allocate(Integer.BYTES);
        private long objectLength;

        ObjectParser(ClearBodyStage next) {
            this.next = next;
        }

        @Override
        public void add(byte[] bytes, int offset, int length) throws Exception {
            int ofHead = Math.min(head.remaining(), length);
            head.put(bytes, offset, ofHead);
            if (length > ofHead) {
                next.begin(OBJECT);
                objectLength += length - ofHead;
                next.add(bytes, offset + ofHead, length - ofHead);
            }
        }

        @Override
        public void finish() throws Exception {
            boolean none = head.position() == 0;
            if (!none && (head.hasRemaining() || head.getInt(0) != objectLength)) {
                throw new MessageRejectedException("body: not the encoding of an object message;"
                        + " a large one may have any body if it has no message id");
            }
            next.begin(OBJECT);
            next.finish();
        }

        @Override
        public void close() {
            next.close();
        }
    }

    /**
     * Parses the body of a large Core text message: a null mark, a length, and UTF-16 in little endian. The payload is
     * UTF-8. A text with half of a surrogate pair is rejected, because its beginning is already sealed.
     */
    static final class TextParser implements BodyStage {
        private static final int BUFFERED_CHARS = 32 << 10;

        /** The least buffer for the encoder, which needs space for a whole surrogate pair. */
        private static final int LEAST_BUFFER = 4;

        private final ClearBodyStage next;
        private final ByteBuffer head = ByteBuffer.allocate(HEAD_OF_TEXT);
        private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        private CharBuffer chars = CharBuffer.allocate(0);
        private ByteBuffer encoded = ByteBuffer.allocate(0);
        private long textLength;
        private byte low;

        TextParser(ClearBodyStage next) {
            this.next = next;
        }

        /** Makes buffers for the characters of one part. They do not stay: a client may let thousands of texts wait. */
        private void allocate(int bytes) {
            int most = Math.min(BUFFERED_CHARS, 1 + bytes / Character.BYTES) + chars.position();
            CharBuffer larger = CharBuffer.allocate(Math.max(LEAST_BUFFER, most));
            chars = larger.put(chars.flip());
            encoded = ByteBuffer.allocate(chars.capacity() + chars.capacity() / 8);
        }

        /** Encodes all characters but the first half of a pair, and drops the buffers. */
        private void release() throws Exception {
            encode(false);
            CharBuffer half = CharBuffer.allocate(chars.position());
            chars = half.put(chars.flip());
            encoded = ByteBuffer.allocate(0);
        }

        @Override
        public void add(byte[] bytes, int offset, int length) throws Exception {
            int position = offset + Math.min(head.remaining(), length);
            int end = offset + length;
            head.put(bytes, offset, position - offset);
            if (position == end) {
                return;
            }
            begin();
            allocate(end - position);
            if (textLength % Character.BYTES != 0) {
                chars.put((char) ((bytes[position++] << Byte.SIZE) | (low & 0xFF)));
                textLength++;
                encodeIfFull();
            }
            textLength += end - position;
            while (end - position >= Character.BYTES) {
                int count = Math.min((end - position) / Character.BYTES, chars.remaining());
                ByteBuffer utf16 = ByteBuffer.wrap(bytes, position, Character.BYTES * count);
                chars.put(utf16.order(ByteOrder.LITTLE_ENDIAN).asCharBuffer());
                position += Character.BYTES * count;
                encodeIfFull();
            }
            if (position < end) {
                low = bytes[position];
            }
            release();
        }

        private void begin() throws MessageRejectedException {
            if (head.get(0) != DataConstants.NOT_NULL) {
                throw malformed();
            }
            next.begin(ClearMessage.Body.TEXT);
        }

        private void encodeIfFull() throws Exception {
            if (!chars.hasRemaining()) {
                encode(false);
            }
        }

        private void encode(boolean all) throws Exception {
            chars.flip();
            CoderResult result;
            do {
                result = encoder.encode(chars, encoded, all);
                if (result.isError()) {
                    throw new MessageRejectedException(
                            "body: a large text with half a character (a lone surrogate) in it");
                }
                if (encoded.position() > 0) {
                    next.add(encoded.array(), 0, encoded.position());
                    encoded.clear();
                }
            } while (result.isOverflow());
            chars.compact(); // the first half of a pair stays in the buffer
        }

        @Override
        public void finish() throws Exception {
            boolean isNull = head.position() == 0 || (head.position() == 1 && head.get(0) == DataConstants.NULL);
            if (isNull) {
                next.begin(CoreParsers.NULL_TEXT);
            } else {
                if (head.hasRemaining() || textLength % Character.BYTES != 0 || head.getInt(1) != textLength) {
                    throw malformed();
                }
                begin();
                allocate(0);
                encode(true);
            }
            next.finish();
        }

        private static MessageRejectedException malformed() {
            return new MessageRejectedException(
                    "body: not the encoding of a text message; a large one may have any body if it has no message id");
        }

        @Override
        public void close() {
            next.close();
        }
    }
}
