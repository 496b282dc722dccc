/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import org.apache.activemq.artemis.api.core.Message;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;

/** Passes a Core body on unchanged: bytes, a map, a stream or no body. */
final class BinaryParser implements BodyStage {
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

    static ClearMessage.Body kind(byte type, boolean empty) throws MessageRejectedException {
        BodyKind kind = switch (type) {
            case Message.BYTES_TYPE -> BodyKind.JMS_BYTES;
            case Message.MAP_TYPE -> BodyKind.JMS_MAP;
            case Message.STREAM_TYPE -> BodyKind.JMS_STREAM;
            case Message.DEFAULT_TYPE -> empty ? BodyKind.JMS_EMPTY : BodyKind.JMS_BYTES;
            default -> throw new MessageRejectedException("Core messages of this type cannot be protected: " + type);
        };
        return new ClearMessage.Body(kind, ContentTypes.BINARY);
    }

    @Override
    public void close() {
        next.close();
    }
}
