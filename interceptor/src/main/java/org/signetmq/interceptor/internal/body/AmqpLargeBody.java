/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.LargeBodyReader;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPLargeMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessageBrokerAccessor;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.apache.activemq.artemis.utils.collections.TypedProperties;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * Reads and replaces the file of a large AMQP message. The file is the whole encoded message, and the broker remembers
 * the positions of the sections.
 */
public final class AmqpLargeBody {
    /** The class of large AMQP messages, compared by name: a broker may run without the AMQP protocol. */
    private static final String CLASS = "org.apache.activemq.artemis.protocol.amqp.broker.AMQPLargeMessage";

    private static final int WRITE_AT_ONCE = 100 << 10;

    private AmqpLargeBody() {}

    public static boolean isOf(Message message) {
        return message.getClass().getName().equals(CLASS);
    }

    /** Returns a large message without a body, which no queue has. */
    public static LargeServerMessage empty(StorageManager storage) {
        return new AMQPLargeMessage(1, 0, null, null, storage);
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

    /**
     * Returns a large message with these encoded bytes, and otherwise like another one. Its file is complete.
     *
     * @param id the identifier of the new message
     * @param sync whether its file is on the disk before the broker goes on
     */
    public static Message copyWith(byte[] bytes, Message message, long id, StorageManager storage, boolean sync)
            throws Exception {
        AMQPLargeMessage large = (AMQPLargeMessage) message;
        TypedProperties extra = large.getExtraProperties();
        AMQPLargeMessage copy = new AMQPLargeMessage(
                id, large.getMessageFormat(), extra == null ? null : new TypedProperties(extra), null, storage);
        try {
            if (large.getExpiration() > 0) {
                copy.reloadExpiration(large.getExpiration()); // reading the bytes would set another time
            }
            storage.onLargeMessageCreate(id, copy);
            for (int from = 0; from < bytes.length; from += WRITE_AT_ONCE) {
                copy.addBytes(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + WRITE_AT_ONCE)));
            }
            copy.setFileDurable(large.isDurable());
            copy.setAddress(large.getAddressSimpleString());
            copy.releaseResources(sync, true);
            return copy;
        } catch (Throwable e) {
            copy.deleteFile();
            throw e;
        }
    }

    /**
     * Checks that {@link #changedTo} finds its methods.
     *
     * @throws MessageRejectedException if this version of the broker lacks them
     */
    public static void requireInternals() throws MessageRejectedException {
        var unused = List.of(method("scanMessageData"), method("lazyDecodeApplicationProperties"));
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
        throw new MessageRejectedException("no " + name + " in " + AMQPMessage.class.getSimpleName());
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
