/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.apache.activemq.artemis.utils.DataConstants;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.body.MessageRejectedException;

/**
 * The body of a Core text message, as it comes: a mark for null, a length, and UTF-16, low byte first, which becomes
 * UTF-8. A text that UTF-8 cannot carry shows too late to seal it otherwise, and is rejected.
 */
public final class TextLayout implements BodyStage {
    private static final int HEAD = 1 + Integer.BYTES;

    private final SealingStage next;
    private final ByteBuffer head = ByteBuffer.allocate(HEAD);
    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    private final CharBuffer chars = CharBuffer.allocate(8 << 10);
    private final ByteBuffer utf8 = ByteBuffer.allocate(32 << 10);
    private long textLength;
    private int low;

    public TextLayout(SealingStage next) {
        this.next = next;
    }

    @Override
    public void add(byte[] bytes, int offset, int length) throws Exception {
        int ofHead = Math.min(head.remaining(), length);
        head.put(bytes, offset, ofHead);
        if (length > ofHead) {
            begin();
        }
        for (int i = offset + ofHead; i < offset + length; i++) {
            if (textLength++ % Character.BYTES == 0) {
                low = bytes[i] & 0xFF;
            } else {
                chars.put((char) (bytes[i] << Byte.SIZE | low));
                if (!chars.hasRemaining()) {
                    encode(false);
                }
            }
        }
    }

    private void begin() throws MessageRejectedException {
        if (head.get(0) != DataConstants.NOT_NULL) {
            throw malformed();
        }
        next.begin(ClearMessage.Body.TEXT);
    }

    private void encode(boolean all) throws Exception {
        chars.flip();
        CoderResult result = encoder.encode(chars, utf8, all);
        if (result.isError()) {
            throw new MessageRejectedException("body: a large text with half a character (a lone surrogate) in it");
        }
        next.add(utf8.array(), 0, utf8.position());
        utf8.clear();
        chars.compact(); // the first half of a pair stays for the second
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
            encode(true);
        }
        next.finish();
    }

    private static MessageRejectedException malformed() {
        return new MessageRejectedException("body: not the encoding of a text message");
    }

    @Override
    public void close() {
        next.close();
    }
}
