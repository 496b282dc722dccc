/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffers;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.spi.core.protocol.EmbedMessageUtil;
import org.apache.activemq.artemis.spi.core.protocol.MessagePersister;
import org.signetmq.interceptor.internal.body.AmqpBody;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.BoundedStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * A whole AMQP message that a core bridge carries as the body of a Core message. This stage takes it into memory and
 * seals it as an AMQP message unless it is sealed. A large message of the other broker comes as its bytes, with its
 * head in a property. It continues like a small one.
 */
public final class EmbeddedStage implements BodyStage {
    private static final SimpleString LARGE_HEAD = SimpleString.of("_AMQP_EMBED_LARGE");
    private static final byte[] SIGNATURE = {'E', 'M', 'B'};

    private final Unpacking unpacking;
    private final Sealing sealing;
    private final BodyStage next;
    private BoundedStage whole;

    /** Seals the message inside. */
    @FunctionalInterface
    public interface Sealing {
        void apply(Message message) throws Exception;
    }

    /** Finds the message in the bytes that came. */
    @FunctionalInterface
    private interface Unpacking {
        Message unpack(byte[] bytes) throws Exception;
    }

    private EmbeddedStage(Unpacking unpacking, Sealing sealing, long mostBytes, BodyStage next) {
        this.unpacking = unpacking;
        this.sealing = sealing;
        this.next = next;
        this.whole = new BoundedStage(
                mostBytes,
                "too large to be protected: an AMQP message over a core bridge, more than the " + mostBytes
                        + " bytes of max-message-size");
    }

    /** A stage for the body of this message. */
    public static EmbeddedStage of(CoreMessage carrier, Sealing sealing, long mostBytes, BodyStage next)
            throws MessageRejectedException {
        if (carrier.getType() == Message.EMBEDDED_TYPE) {
            return new EmbeddedStage(EmbeddedStage::signed, sealing, mostBytes, next);
        }
        byte[] head = carrier.getBytesProperty(LARGE_HEAD);
        if (head == null) {
            throw new MessageRejectedException("body: a large embedded message without its head");
        }
        return new EmbeddedStage(
                bytes -> AmqpBody.whole(decode(ActiveMQBuffers.wrappedBuffer(head)), bytes), sealing, mostBytes, next);
    }

    /** Whether the message carries another one. */
    public static boolean isCarrier(CoreMessage message) {
        return message.getType() == Message.EMBEDDED_TYPE || message.getType() == Message.LARGE_EMBEDDED_TYPE;
    }

    /** Sets the properties that describe the sealed body. */
    public static void label(CoreMessage carrier) {
        carrier.setType(Message.EMBEDDED_TYPE);
        carrier.removeProperty(LARGE_HEAD);
    }

    @Override
    public void add(byte[] bytes, int offset, int length) throws Exception {
        whole.add(bytes, offset, length);
    }

    @Override
    public void finish() throws Exception {
        Message message = unpacking.unpack(whole.toByteArray());
        whole = new BoundedStage(0, "body: already closed"); // frees the memory
        sealing.apply(message);
        ICoreMessage carrier = EmbedMessageUtil.embedAsCoreMessage(message);
        ActiveMQBuffer body = carrier.getReadOnlyBodyBuffer();
        byte[] bytes = new byte[body.readableBytes()];
        body.readBytes(bytes);
        next.add(bytes, 0, bytes.length);
        next.finish();
    }

    private static Message signed(byte[] bytes) throws MessageRejectedException {
        ActiveMQBuffer buffer = ActiveMQBuffers.wrappedBuffer(bytes);
        for (byte expected : SIGNATURE) {
            if (!buffer.readable() || buffer.readByte() != expected) {
                throw new MessageRejectedException("body: not the encoding of an embedded message");
            }
        }
        Message message = decode(buffer);
        if (message.isLargeMessage()) {
            throw unknown();
        }
        return message;
    }

    private static Message decode(ActiveMQBuffer buffer) throws MessageRejectedException {
        Message message = MessagePersister.getInstance().decode(buffer, null, null, null);
        if (message == null || message instanceof ICoreMessage) {
            throw unknown();
        }
        return message;
    }

    private static MessageRejectedException unknown() {
        return new MessageRejectedException("body: an embedded message of a kind that cannot be protected");
    }

    @Override
    public void close() {
        whole = new BoundedStage(0, "body: already closed");
        next.close();
    }
}
