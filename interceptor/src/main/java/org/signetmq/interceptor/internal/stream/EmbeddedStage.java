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
 * Seals an AMQP message that a core bridge carries as the body of a Core message. The stage reads it into memory, and
 * seals it unless it is sealed. A large message of the other broker arrives as its bytes, with its head in a property.
 * Its carrier leaves the stage like the carrier of a small message.
 */
public final class EmbeddedStage implements BodyStage {
    private static final SimpleString LARGE_HEAD = SimpleString.of("_AMQP_EMBED_LARGE");
    private static final byte[] MARK = {'E', 'M', 'B'};

    private final Unpacking unpacking;
    private final EmbeddedSealer sealer;
    private final BodyStage next;
    private BoundedStage whole;

    /** Seals the message inside. */
    @FunctionalInterface
    public interface EmbeddedSealer {
        void apply(Message message) throws Exception;
    }

    /** Decodes the message from the bytes of the body. */
    @FunctionalInterface
    private interface Unpacking {
        Message unpack(byte[] bytes) throws Exception;
    }

    private EmbeddedStage(Unpacking unpacking, EmbeddedSealer sealer, long mostBytes, BodyStage next) {
        this.unpacking = unpacking;
        this.sealer = sealer;
        this.next = next;
        this.whole = new BoundedStage(
                mostBytes,
                "too large to be protected: an AMQP message over a core bridge, more than the " + mostBytes
                        + " bytes of max-message-size");
    }

    /** Makes the stage for the body of this message. */
    public static EmbeddedStage of(CoreMessage carrier, EmbeddedSealer sealer, long mostBytes, BodyStage next)
            throws MessageRejectedException {
        if (carrier.getType() == Message.EMBEDDED_TYPE) {
            return new EmbeddedStage(EmbeddedStage::decodeSmall, sealer, mostBytes, next);
        }
        byte[] head = carrier.getBytesProperty(LARGE_HEAD);
        if (head == null) {
            throw new MessageRejectedException("body: a large embedded message without its head");
        }
        return new EmbeddedStage(
                bytes -> AmqpBody.whole(decode(ActiveMQBuffers.wrappedBuffer(head)), bytes), sealer, mostBytes, next);
    }

    /** Returns whether the message carries another one. */
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
        sealer.apply(message);
        ICoreMessage carrier = EmbedMessageUtil.embedAsCoreMessage(message);
        ActiveMQBuffer body = carrier.getReadOnlyBodyBuffer();
        byte[] bytes = new byte[body.readableBytes()];
        body.readBytes(bytes);
        next.add(bytes, 0, bytes.length);
        next.finish();
    }

    private static Message decodeSmall(byte[] bytes) throws MessageRejectedException {
        ActiveMQBuffer buffer = ActiveMQBuffers.wrappedBuffer(bytes);
        for (byte expected : MARK) {
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
