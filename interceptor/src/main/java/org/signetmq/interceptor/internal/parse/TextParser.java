/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.apache.activemq.artemis.utils.DataConstants;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;

/**
 * Parses the body of a Core text message: a null mark, a length, and UTF-16 in little endian.
 *
 * <p>The payload is UTF-8, which cannot encode half of a surrogate pair. A small text with such a half is parsed again
 * into UTF-16. A large one is rejected, because its beginning is already sealed.
 */
final class TextParser implements BodyStage {
    private static final ClearMessage.Body UTF_16_TEXT =
            new ClearMessage.Body(BodyKind.JMS_TEXT_UTF16, "text/plain; charset=utf-16be");

    private static final int HEAD = 1 + Integer.BYTES;

    /** The least buffer for the encoder, which needs space for a whole surrogate pair. */
    private static final int LEAST_BUFFER = 4;

    private final ClearBodyStage next;
    private final Encoding encoding;
    private final ByteBuffer head = ByteBuffer.allocate(HEAD);
    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    private final int bufferedChars;
    private CharBuffer chars = CharBuffer.allocate(0);
    private ByteBuffer encoded = ByteBuffer.allocate(0);
    private long textLength;
    private byte low;

    /** The encoding of the payload. */
    enum Encoding {
        UTF_8,
        /** UTF-16 in big endian, which can encode any text. */
        UTF_16
    }

    /** Thrown for a text with half of a surrogate pair. */
    static final class LoneSurrogateException extends MessageRejectedException {
        private static final long serialVersionUID = 1L;

        LoneSurrogateException() {
            super("body: a large text with half a character (a lone surrogate) in it");
        }
    }

    TextParser(Encoding encoding, int bufferedChars, ClearBodyStage next) {
        this.encoding = encoding;
        this.next = next;
        this.bufferedChars = bufferedChars;
    }

    /** Makes buffers for the characters of one part. They do not stay: a client may let thousands of texts wait. */
    private void allocate(int bytes) {
        int most = Math.min(bufferedChars, 1 + bytes / Character.BYTES) + chars.position();
        CharBuffer larger = CharBuffer.allocate(Math.max(LEAST_BUFFER, most));
        chars = larger.put(chars.flip());
        encoded = ByteBuffer.allocate(
                encoding == Encoding.UTF_16
                        ? Character.BYTES * chars.capacity()
                        : chars.capacity() + chars.capacity() / 8);
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
        next.begin(encoding == Encoding.UTF_8 ? ClearMessage.Body.TEXT : UTF_16_TEXT);
    }

    /** Returns whether a whole body is the encoding of a text, or of none. */
    static boolean isText(ByteBuffer body) {
        int from = body.position();
        return switch (body.remaining()) {
            case 0 -> true;
            case 1 -> body.get(from) == DataConstants.NULL;
            default ->
                body.remaining() >= HEAD
                        && body.get(from) == DataConstants.NOT_NULL
                        && body.getInt(from + 1) == body.remaining() - HEAD
                        && body.remaining() % Character.BYTES == HEAD % Character.BYTES;
        };
    }

    private void encodeIfFull() throws Exception {
        if (!chars.hasRemaining()) {
            encode(false);
        }
    }

    private void encode(boolean all) throws Exception {
        chars.flip();
        boolean more;
        do {
            more = encoding == Encoding.UTF_8 ? encodeUtf8(all) : encodeUtf16();
            if (encoded.position() > 0) {
                next.add(encoded.array(), 0, encoded.position());
                encoded.clear();
            }
        } while (more);
        chars.compact(); // the first half of a pair stays in the buffer
    }

    /** Encodes the buffered characters, and returns whether some remain. */
    private boolean encodeUtf8(boolean all) throws MessageRejectedException {
        CoderResult result = encoder.encode(chars, encoded, all);
        if (result.isError()) {
            throw new LoneSurrogateException();
        }
        return result.isOverflow();
    }

    private boolean encodeUtf16() {
        encoded.position(Character.BYTES * chars.remaining());
        ByteBuffer.wrap(encoded.array()).asCharBuffer().put(chars);
        return false;
    }

    @Override
    public void finish() throws Exception {
        boolean isNull = head.position() == 0 || (head.position() == 1 && head.get(0) == DataConstants.NULL);
        if (isNull) {
            next.begin(new ClearMessage.Body(BodyKind.JMS_TEXT_NULL, ClearMessage.Body.TEXT.contentType()));
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

    private MessageRejectedException malformed() {
        return new MessageRejectedException(
                "body: not the encoding of a text message; a large one may have any body if it has no message id");
    }

    @Override
    public void close() {
        next.close();
    }
}
