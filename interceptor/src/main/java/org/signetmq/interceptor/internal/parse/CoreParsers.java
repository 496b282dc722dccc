/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.activemq.artemis.api.core.Message;

/** Chooses the parser for the body of a Core message. */
public final class CoreParsers {
    private static final int BUFFERED_CHARS = 32 << 10;

    private CoreParsers() {}

    /**
     * Returns the parser for a body that arrives in parts. Only the end of a text or object tells whether it is encoded
     * as one. One that may be encoded in another way passes as it is.
     *
     * @param encoded whether a text or object surely has the encoding of its type
     */
    public static BodyStage forStream(byte type, boolean encoded, ClearBodyStage next) {
        if (!encoded) {
            return new BinaryParser(type, next);
        }
        return switch (type) {
            case Message.TEXT_TYPE -> new TextParser(TextParser.Encoding.UTF_8, BUFFERED_CHARS, next);
            case Message.OBJECT_TYPE -> new ObjectParser(next);
            default -> new BinaryParser(type, next);
        };
    }

    /** Reads a body in memory: the remaining bytes of a buffer with an array, which the content may share. */
    public static BodyContent read(byte type, ByteBuffer body) throws MessageRejectedException {
        return switch (type) {
            case Message.TEXT_TYPE -> TextParser.isText(body) ? text(body) : asItIs(type, body);
            case Message.OBJECT_TYPE -> {
                if (!ObjectParser.isObject(body)) {
                    yield asItIs(type, body);
                }
                CollectingStage collected = new CollectingStage();
                new ObjectParser(collected).takeWhole(body);
                yield collected.content();
            }
            default -> asItIs(type, body);
        };
    }

    private static BodyContent asItIs(byte type, ByteBuffer body) throws MessageRejectedException {
        return new BodyContent(BinaryParser.kind(type, !body.hasRemaining()), body, Map.of());
    }

    private static BodyContent text(ByteBuffer body) throws MessageRejectedException {
        try {
            return text(TextParser.Encoding.UTF_8, body);
        } catch (TextParser.LoneSurrogateException e) {
            return text(TextParser.Encoding.UTF_16, body);
        }
    }

    private static BodyContent text(TextParser.Encoding encoding, ByteBuffer body) throws MessageRejectedException {
        CollectingStage collected = new CollectingStage();
        new TextParser(encoding, body.remaining() / Character.BYTES, collected).takeWhole(body);
        return collected.content();
    }
}
