/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.activemq.artemis.api.core.Message;

/** Chooses the parser for the body of a Core message. */
public final class CoreParsers {
    private static final int BUFFERED_CHARS = 32 << 10;

    private CoreParsers() {}

    /** Returns the parser for a body that arrives in parts. */
    public static BodyStage forStream(byte type, ClearBodyStage next) {
        return switch (type) {
            case Message.TEXT_TYPE -> new TextParser(TextParser.Encoding.UTF_8, BUFFERED_CHARS, next);
            case Message.OBJECT_TYPE -> new ObjectParser(next);
            default -> new BinaryParser(type, next);
        };
    }

    /** Reads a body in memory: the remaining bytes of a buffer with an array, which the content may share. */
    public static BodyContent read(byte type, ByteBuffer body) throws MessageRejectedException {
        return switch (type) {
            case Message.TEXT_TYPE -> TextParser.isText(body) ? text(body) : TextParser.other(body);
            case Message.OBJECT_TYPE -> {
                if (!ObjectParser.isObject(body)) {
                    yield ObjectParser.other(body);
                }
                CollectingStage collected = new CollectingStage();
                new ObjectParser(collected).takeWhole(body);
                yield collected.content();
            }
            default -> new BodyContent(BinaryParser.kind(type, !body.hasRemaining()), body, Map.of());
        };
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
