/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** Finds the adapter for a message's class. */
public final class MessageBodies {
    /** The class of AMQP messages, compared by name: a broker may run without the AMQP protocol. */
    private static final String AMQP = "org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage";

    private MessageBodies() {}

    /** Returns a lower bound for the length of a body that is in memory, in bytes. It decodes nothing. */
    public static long length(Message message) {
        if (message instanceof ICoreMessage core) {
            return core.getType() == Message.TEXT_TYPE
                    ? core.getBodyBufferSize() / Character.BYTES
                    : core.getBodyBufferSize();
        }
        return message.getClass().getName().equals(AMQP) ? AmqpBody.length(message) : message.getEncodeSize();
    }

    /**
     * Returns the length of a body that is in memory, or a lower bound, once it is decompressed, in bytes. It keeps
     * nothing of the decompressed body.
     *
     * @throws MessageRejectedException if the decompressed body would exceed the limit
     */
    public static long decompressedLength(Message message, long mostBytes) throws MessageRejectedException {
        return message instanceof ICoreMessage core && CoreBody.isCompressed(core)
                ? CoreBody.decompressedLength(core, mostBytes)
                : length(message);
    }

    /**
     * Returns the body of a message that is not large.
     *
     * @param protocol the protocol by which the message arrived
     * @throws MessageRejectedException if the class of the message is unknown
     */
    public static MessageBody of(Message message, String protocol, long mostBytes) throws MessageRejectedException {
        if (message instanceof ICoreMessage core) {
            return new CoreBody(core, protocol.startsWith("MQTT"), mostBytes);
        }
        if (message.getClass().getName().equals(AMQP)) {
            return AmqpBody.of(message);
        }
        throw new MessageRejectedException("messages of this class cannot be protected: "
                + message.getClass().getName());
    }

    /**
     * Returns the bytes of a message that is not large and may be an envelope; empty if no envelope has this kind of
     * body. They are decompressed while the caller reads, if a Core client compressed them.
     *
     * @throws MessageRejectedException if the class of the message is unknown, or an AMQP section cannot be read
     */
    public static Optional<InputStream> possibleEnvelope(Message message) throws MessageRejectedException {
        if (message instanceof ICoreMessage core) {
            return CoreBody.possibleEnvelope(core);
        }
        return of(message, "", 0)
                .possibleEnvelope()
                .map(body ->
                        new ByteArrayInputStream(body.array(), body.arrayOffset() + body.position(), body.remaining()));
    }
}
