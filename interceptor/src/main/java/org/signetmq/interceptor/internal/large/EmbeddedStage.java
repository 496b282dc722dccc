/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffers;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.spi.core.protocol.EmbedMessageUtil;
import org.apache.activemq.artemis.spi.core.protocol.MessagePersister;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.body.AmqpBody;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.interceptor.internal.parse.WorkMemory;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.MessageSealer.ProtectionRequest;

/**
 * Seals an AMQP message that a core bridge carries as the body of a Core message. The body waits until it is complete.
 * The stage then reads it into memory, and seals it unless it is sealed. A large message of the other broker arrives as
 * its bytes, with its head in a property. Its carrier leaves the stage like the carrier of a small message.
 */
public record EmbeddedStage(
        Unpacking unpacking, MessageSealer sealer, ProtectionRequest request, WaitingBytes whole, BodyStage next)
        implements BodyStage {
    private static final SimpleString LARGE_HEAD = SimpleString.of("_AMQP_EMBED_LARGE");
    private static final byte[] MARK = {'E', 'M', 'B'};

    /** Decodes the message from the bytes of the body. */
    @FunctionalInterface
    private interface Unpacking {
        Message unpack(byte[] bytes) throws Exception;
    }

    /**
     * Makes the stage for the body of this message.
     *
     * @param whole receives the body until it is complete
     */
    public static EmbeddedStage of(
            CoreMessage carrier, MessageSealer sealer, ProtectionRequest request, WaitingBytes whole, BodyStage next)
            throws MessageRejectedException {
        if (carrier.getType() == Message.EMBEDDED_TYPE) {
            return new EmbeddedStage(EmbeddedStage::decodeSmall, sealer, request, whole, next);
        }
        byte[] head = carrier.getBytesProperty(LARGE_HEAD);
        if (head == null) {
            throw new MessageRejectedException("body: a large embedded message without its head");
        }
        return new EmbeddedStage(
                bytes -> AmqpBody.whole(decode(ActiveMQBuffers.wrappedBuffer(head)), bytes),
                sealer,
                request,
                whole,
                next);
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
        long mostBytes = request.home().maxMessageSize();
        if (whole.length() + length > mostBytes) {
            throw new MessageRejectedException(
                    RejectionReason.TOO_LARGE,
                    "too large to be protected: an AMQP message over a core bridge, more than the " + mostBytes
                            + " bytes of max-message-size");
        }
        whole.add(bytes, offset, length);
    }

    @Override
    public void finish() throws Exception {
        WorkMemory.Work part = sealer.memory().take(whole.length());
        try (part) {
            byte[] carried = whole.toByteArray();
            whole.close(); // frees the memory
            Message message = unpacking.unpack(carried);
            boolean unused = sealer.apply(message, request, request.limit());
            ActiveMQBuffer body = EmbedMessageUtil.embedAsCoreMessage(message).getReadOnlyBodyBuffer();
            byte[] bytes = new byte[body.readableBytes()];
            body.readBytes(bytes);
            next.add(bytes, 0, bytes.length);
            next.finish();
        }
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
        whole.close();
        next.close();
    }
}
