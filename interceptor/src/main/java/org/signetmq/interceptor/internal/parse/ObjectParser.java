/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;

/** Parses the body of a Core object message: empty for null, or else a length and the serialised object. */
final class ObjectParser implements BodyStage {
    private static final ClearMessage.Body KIND =
            new ClearMessage.Body(BodyKind.JMS_OBJECT, ContentTypes.SERIALIZED_OBJECT);

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
            next.begin(KIND);
            objectLength += length - ofHead;
            next.add(bytes, offset + ofHead, length - ofHead);
        }
    }

    /** Returns whether a whole body is the encoding of an object, or of none. */
    static boolean isObject(ByteBuffer body) {
        return !body.hasRemaining()
                || (body.remaining() >= Integer.BYTES
                        && body.getInt(body.position()) == body.remaining() - Integer.BYTES);
    }

    @Override
    public void finish() throws Exception {
        boolean none = head.position() == 0;
        if (!none && (head.hasRemaining() || head.getInt(0) != objectLength)) {
            throw new MessageRejectedException(
                    "body: not the encoding of an object message; a large one may have any body if it has no message id");
        }
        next.begin(KIND);
        next.finish();
    }

    @Override
    public void close() {
        next.close();
    }
}
