/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.activemq.artemis.utils.DataConstants;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;

/** The body of a Core text message: a mark for null, then a length and UTF-16, low byte first. */
public final class CoreText {
    private static final int HEAD = 1 + Integer.BYTES;

    private CoreText() {}

    public static BodyContent read(byte[] body) throws MessageRejectedException {
        if (body.length == 0 || (body.length == 1 && body[0] == DataConstants.NULL)) {
            return BodyContent.of(
                    new ClearMessage.Body(BodyKind.JMS_TEXT_NULL, ClearMessage.Body.TEXT.contentType()), new byte[0]);
        }
        if (body.length < HEAD || body[0] != DataConstants.NOT_NULL || (body.length - HEAD) % Character.BYTES != 0) {
            throw malformed(body.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(body);
        if (buffer.getInt(1) != body.length - HEAD) {
            throw malformed(body.length);
        }
        char[] text = new char[(body.length - HEAD) / Character.BYTES];
        for (int i = 0; i < text.length; i++) {
            text[i] = Character.reverseBytes(buffer.getChar(HEAD + Character.BYTES * i));
        }
        return content(text);
    }

    private static BodyContent content(char[] text) {
        try {
            ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] payload = new byte[utf8.remaining()];
            utf8.get(payload);
            return BodyContent.of(ClearMessage.Body.TEXT, payload);
        } catch (CharacterCodingException loneSurrogate) {
            ByteBuffer utf16 = ByteBuffer.allocate(Character.BYTES * text.length);
            utf16.asCharBuffer().put(text);
            return BodyContent.of(
                    new ClearMessage.Body(BodyKind.JMS_TEXT_UTF16, "text/plain; charset=utf-16be"), utf16.array());
        }
    }

    private static MessageRejectedException malformed(int length) {
        return new MessageRejectedException("body: not the encoding of a text message, found " + length + " bytes");
    }
}
