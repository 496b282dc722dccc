/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import org.apache.activemq.artemis.api.core.Message;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;

/**
 * Passes a Core body on unchanged: bytes, a map, a stream or no body; also a text or an object that a Core producer may
 * have written in another way than clients of JMS, such as by {@code writeString}.
 */
final class BinaryParser implements BodyStage {
    private static final ClearMessage.Body BYTES = body(BodyKind.JMS_BYTES);
    private static final ClearMessage.Body MAP = body(BodyKind.JMS_MAP);
    private static final ClearMessage.Body STREAM = body(BodyKind.JMS_STREAM);
    private static final ClearMessage.Body EMPTY = body(BodyKind.JMS_EMPTY);
    private static final ClearMessage.Body TEXT = body(BodyKind.JMS_TEXT_CORE);
    private static final ClearMessage.Body OBJECT = body(BodyKind.JMS_OBJECT_CORE);

    private final byte type;
    private final ClearBodyStage next;

    BinaryParser(byte type, ClearBodyStage next) {
        this.type = type;
        this.next = next;
    }

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

    private static ClearMessage.Body body(BodyKind kind) {
        return new ClearMessage.Body(kind, ContentTypes.BINARY);
    }

    static ClearMessage.Body kind(byte type, boolean empty) throws MessageRejectedException {
        return switch (type) {
            case Message.BYTES_TYPE -> BYTES;
            case Message.MAP_TYPE -> MAP;
            case Message.STREAM_TYPE -> STREAM;
            case Message.TEXT_TYPE -> TEXT;
            case Message.OBJECT_TYPE -> OBJECT;
            case Message.DEFAULT_TYPE -> empty ? EMPTY : BYTES;
            default -> throw new MessageRejectedException("Core messages of this type cannot be protected: " + type);
        };
    }

    @Override
    public void close() {
        next.close();
    }
}
