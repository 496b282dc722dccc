/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.LargeBodyReader;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPLargeMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessageBrokerAccessor;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * Reads and replaces the file of a large AMQP message. The file is the whole encoded message, and the broker remembers
 * the positions of the sections.
 */
public final class AmqpLargeBody {
    /** The class of large AMQP messages, compared by name: a broker may run without the AMQP protocol. */
    private static final String CLASS = "org.apache.activemq.artemis.protocol.amqp.broker.AMQPLargeMessage";

    private AmqpLargeBody() {}

    public static boolean isOf(Message message) {
        return message.getClass().getName().equals(CLASS);
    }

    /** Returns the encoded bytes of a message that is not large. */
    public static byte[] bytesOf(Message whole) {
        ReadableBuffer buffer = ((AMQPStandardMessage) whole).getSendBuffer(1, null);
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /**
     * Makes the broker find the positions of the sections again after the bytes changed. The broker has no public
     * method for it: it scans a message when the message arrives, and when the broker reads it from the journal.
     *
     * @throws MessageRejectedException if this version of the broker lacks the private methods
     */
    public static void changedTo(byte[] bytes, Message message) throws Exception {
        AMQPLargeMessage large = (AMQPLargeMessage) message;
        Method scan = method("scanMessageData");
        Method decodeProperties = method("lazyDecodeApplicationProperties");
        if (large.getExpiration() > 0) {
            large.reloadExpiration(large.getExpiration()); // the scan would set another time
        }
        scan.invoke(large, ReadableBuffer.ByteBufferReader.wrap(bytes));
        decodeProperties.invoke(large, ReadableBuffer.ByteBufferReader.wrap(bytes));
        large.setReencoded(false);
    }

    private static Method method(String name) throws MessageRejectedException {
        try {
            Method method = AMQPMessage.class.getDeclaredMethod(name, ReadableBuffer.class);
            if (method.trySetAccessible()) {
                return method;
            }
        } catch (NoSuchMethodException none) {
            // reported below
        }
        throw new MessageRejectedException("this version of Artemis reads large AMQP messages in another way; set"
                + " amqpMinLargeMessageSize=-1 at the acceptor, or minLargeMessageSize=-1 at the bridge or federation");
    }

    /** Moves to the start of the content and returns true if the body is a single data section. */
    public static boolean goToBytes(Message large, LargeBodyReader reader) throws Exception {
        long start = AMQPMessageBrokerAccessor.getRemainingBodyPosition((AMQPLargeMessage) large);
        if (start < 0) {
            return false;
        }
        ByteBuffer head = ByteBuffer.allocate(AmqpSections.LONG_HEAD);
        reader.position(start);
        int read = reader.readInto(head);
        OptionalInt content = AmqpSections.startOfOnlyData(head.array(), read, reader.getSize() - start);
        if (content.isPresent()) {
            reader.position(start + content.getAsInt());
        }
        return content.isPresent();
    }
}
