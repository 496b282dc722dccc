/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.apache.activemq.artemis.utils.DataConstants;
import org.signetmq.envelope.message.ClearMessage;

/**
 * Parses the body of a large Core text message: a null mark, a length, and UTF-16 in little endian. The payload is
 * UTF-8. A text with half of a surrogate pair is rejected, because its beginning is already sealed.
 */
final class TextParser implements BodyStage {
    private static final int HEAD = 1 + Integer.BYTES;
    private static final int BUFFERED_CHARS = 32 << 10;

    /** The least buffer for the encoder, which needs space for a whole surrogate pair. */
    private static final int LEAST_BUFFER = 4;

    private final ClearBodyStage next;
    private final ByteBuffer head = ByteBuffer.allocate(HEAD);
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
                throw new MessageRejectedException("body: a large text with half a character (a lone surrogate) in it");
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
