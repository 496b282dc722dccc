/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.ByteArrayOutputStream;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffers;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.spi.core.protocol.EmbedMessageUtil;
import org.apache.activemq.artemis.spi.core.protocol.MessagePersister;

/**
 * A whole AMQP message, which a core bridge carries as the body of a Core message: taken into memory, and sealed there
 * as an AMQP message unless it is sealed.
 */
final class EmbeddedStage implements BodyStage {
    private static final byte[] SIGNATURE = {'E', 'M', 'B'};

    private final Sealing sealing;
    private final long mostBytes;
    private final BodyStage next;
    private ByteArrayOutputStream whole = new ByteArrayOutputStream();

    /** Seals the message inside. */
    @FunctionalInterface
    interface Sealing {
        void apply(Message message) throws Exception;
    }

    EmbeddedStage(Sealing sealing, long mostBytes, BodyStage next) {
        this.sealing = sealing;
        this.mostBytes = mostBytes;
        this.next = next;
    }

    @Override
    public void add(byte[] bytes, int offset, int length) throws Exception {
        if (whole.size() + (long) length > mostBytes) {
            throw new RefusedException("too large to be protected: an AMQP message over a core bridge, more than the "
                    + mostBytes + " bytes of max-message-size");
        }
        whole.write(bytes, offset, length);
    }

    @Override
    public void finish() throws Exception {
        Message message = message(whole.toByteArray());
        whole = new ByteArrayOutputStream();
        sealing.apply(message);
        ICoreMessage carrier = EmbedMessageUtil.embedAsCoreMessage(message);
        ActiveMQBuffer body = carrier.getReadOnlyBodyBuffer();
        byte[] bytes = new byte[body.readableBytes()];
        body.readBytes(bytes);
        next.add(bytes, 0, bytes.length);
        next.finish();
    }

    private static Message message(byte[] bytes) throws RefusedException {
        ActiveMQBuffer buffer = ActiveMQBuffers.wrappedBuffer(bytes);
        for (byte expected : SIGNATURE) {
            if (!buffer.readable() || buffer.readByte() != expected) {
                throw new RefusedException("body: not the encoding of an embedded message");
            }
        }
        Message message = MessagePersister.getInstance().decode(buffer, null, null, null);
        if (message == null || message instanceof ICoreMessage || message.isLargeMessage()) {
            throw new RefusedException("body: an embedded message of a kind that cannot be protected");
        }
        return message;
    }

    @Override
    public void close() {
        whole = new ByteArrayOutputStream();
        next.close();
    }
}
