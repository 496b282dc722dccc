/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import java.nio.ByteBuffer;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.body.ContentTypes;
import org.signetmq.interceptor.internal.body.CoreObject;
import org.signetmq.interceptor.internal.body.MessageRejectedException;

/** The body of a Core object message, as it comes; see {@link CoreObject}. */
public final class ObjectLayout implements BodyStage {
    private final SealingStage next;
    private final ByteBuffer head = ByteBuffer.allocate(Integer.BYTES);
    private long objectLength;

    public ObjectLayout(SealingStage next) {
        this.next = next;
    }

    @Override
    public void add(byte[] bytes, int offset, int length) throws Exception {
        int ofHead = Math.min(head.remaining(), length);
        head.put(bytes, offset, ofHead);
        if (length > ofHead) {
            begin();
            objectLength += length - ofHead;
            next.add(bytes, offset + ofHead, length - ofHead);
        }
    }

    private void begin() throws MessageRejectedException {
        next.begin(new ClearMessage.Body(BodyKind.JMS_OBJECT, ContentTypes.SERIALIZED_OBJECT));
    }

    @Override
    public void finish() throws Exception {
        boolean none = head.position() == 0;
        if (!none && (head.hasRemaining() || head.getInt(0) != objectLength)) {
            throw new MessageRejectedException("body: not the encoding of an object message");
        }
        begin();
        next.finish();
    }

    @Override
    public void close() {
        next.close();
    }
}
