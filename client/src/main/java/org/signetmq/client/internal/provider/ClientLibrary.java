/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.QuarantineNote;

/**
 * The client library of a connection, with its differences from the API. The default methods follow the API.
 * Thread-safe.
 */
public interface ClientLibrary {
    /** The reserved property names that a producer sets. */
    Set<String> OF_PRODUCERS = Set.of("JMSXGroupID", "JMSXGroupSeq", "JMS_AMQP_TTL", "JMS_AMQP_REPLY_TO_GROUP_ID");

    /** The protocol by which a consumer receives. It decides the conversion of messages of other protocols. */
    enum ClientProtocol {
        /** Artemis's own: the broker converts messages of AMQP producers. */
        CORE,
        /** The protocol of the ActiveMQ client: the broker converts messages of AMQP producers, as for Core. */
        OPENWIRE,
        /** AMQP 1.0, and the protocol of any unknown client library: the broker does not convert messages. */
        AMQP
    }

    /** A message as a client library delivered it. */
    record ArrivedMessage(Message message, ClientLibrary library) {}

    /**
     * Makes the provider's message for an opened body. The caller uses the result once.
     *
     * @param <M> the type of the message
     */
    @FunctionalInterface
    interface MessageMaker<M extends Message> {
        /** Returns an empty message that accepts a body. */
        M make() throws JMSException;
    }

    /** Supplies the object of an object message if the provider's own message cannot read it. */
    interface ObjectSource {
        @Nullable
        Serializable object() throws JMSException;

        /** Puts the object into the provider's message before it is sent. */
        default void complete(ObjectMessage content) throws JMSException {
            content.setObject(object());
        }
    }

    /**
     * Returns whether a copy leaves a property out: it belongs to a note of the quarantine, names the message to the
     * broker's detection of duplicates, or asks for a delay or a route.
     */
    static boolean isLeftOut(String property) {
        return QuarantineNote.isNote(property)
                || property.equals(QuarantineNote.DUPLICATE_ID)
                || property.equals("_AMQ_SCHED_DELIVERY")
                || property.startsWith("_AMQ_ROUT") // the type of routing, and the queues that a bridge chose
                || property.startsWith("_AMQ_LARGE_") // the library sets them
                || property.startsWith("_AMQ_BRIDGE_DUP")
                || property.startsWith("AMQ_SCHEDULED_")
                || property.startsWith("__AMQ_CID");
    }

    /** Returns the protocol by which the library receives. */
    ClientProtocol protocol();

    /** Creates a context of any session mode. */
    default JMSContext createContext(ConnectionFactory factory, int mode) {
        return factory.createContext(mode);
    }

    /** Returns the maker of direct consumers for a connection of this factory; null if the library has none. */
    default DirectConsumer.@Nullable Maker directConsumers(ConnectionFactory factory, Connection connection) {
        return null;
    }

    /**
     * Returns the body as a stream while it arrives, or null if the body is short, not sealed or in memory.
     *
     * @throws IOException if the body cannot be read
     */
    default @Nullable InputStream largeBody(Message arrived) throws IOException {
        return null;
    }

    /**
     * Returns the whole body inside a message in memory, without a copy. Returns null if only the API reads it. Nothing
     * may write into the buffer.
     */
    default @Nullable ByteBuffer bytesOf(BytesMessage arrived) throws JMSException {
        return null;
    }

    /** Gives an unacknowledged message back, so that the broker counts one delivery of this message only. */
    default void giveBack(Message arrived, Session session) throws JMSException {
        recover(session);
    }

    /** Gives all unacknowledged messages of a session back. */
    default void recover(Session session) throws JMSException {
        session.recover();
    }

    /**
     * Returns whether a close loses the acknowledgement of the message that a listener is working on, in
     * CLIENT_ACKNOWLEDGE. Such a library also lets a listener close its own session.
     */
    default boolean closingDropsAcknowledgements() {
        return false;
    }

    /** Returns the original destination of a moved message if the library knows it, or null. */
    default @Nullable Object originalAddress(Message arrived) throws JMSException {
        return null;
    }

    /** Sets a property. The name may come from a protocol with other rules for names than JMS. */
    default void putProperty(String name, Object value, Message message) throws JMSException {
        message.setObjectProperty(name, value);
    }

    /**
     * Returns a copy of an arrived message that can be sent, with its body, headers and properties. Properties that
     * would make the broker delay, drop or route the copy are left out.
     *
     * @param large the body of a message whose {@link #largeBody} was read; null for a body in memory
     * @throws JMSException if the library cannot copy such a message
     */
    default Message copy(Message arrived, @Nullable InputStream large, Session session) throws JMSException {
        throw new JMSException(
                "client library: messages of " + arrived.getClass().getName() + " cannot be copied");
    }

    /**
     * Checks that an address to which the session has sent has a queue, if the broker drops a message without one.
     *
     * @throws JMSException if it has none, or if a pool hides the session
     */
    default void requireQueue(String address, Session session) throws JMSException {}

    /** Returns whether a send of a persistent message outside of a transaction waits for the broker's answer. */
    default boolean confirmsSends(Session session) {
        return true;
    }

    /**
     * Prepares a text or bytes message for an opened body. A library that can make it after the end of the session
     * makes it when the application needs it. Most applications read the body at once and never need it.
     *
     * @param arrived the sealed message
     */
    default <M extends Message> MessageMaker<M> maker(Class<M> type, Message arrived, Session session)
            throws JMSException {
        M made = type.cast(type == TextMessage.class ? session.createTextMessage() : session.createBytesMessage());
        return () -> made;
    }

    /**
     * Puts a serialised object into a message, so that the library deserialises it under its own limits.
     *
     * @return the reader of the object, or null if the message itself reads it
     * @throws ReflectiveOperationException if the library lacks an expected method
     */
    @Nullable
    ObjectSource putObject(byte[] serialized, ObjectMessage message) throws JMSException, ReflectiveOperationException;

    /**
     * Puts a body of Artemis Core into a new stream message, so that the library reads it as it would without Signet.
     * All lengths in it are right.
     *
     * @return false if the library cannot, and the caller writes the items that it can read
     */
    default boolean putEncoded(byte[] body, StreamMessage message) throws JMSException {
        return false;
    }

    /** Returns whether stream messages also hold items of AMQP types. */
    default boolean takesTypedItems() {
        return false;
    }

    /** Appends an item to a stream message. */
    default void appendItem(@Nullable Object item, StreamMessage message) throws JMSException {
        message.writeObject(item);
    }

    /** Returns a message whose body can be read and whose headers can be copied while the given one stays as it is. */
    default Message readable(Message sent) throws JMSException {
        return sent;
    }

    /** Returns the stream from which the library would send the body, or null. */
    default @Nullable InputStream givenStream(Message sent) {
        return null;
    }

    /** Makes the library send a body from a stream, or from none. Returns false if it cannot. */
    default boolean putStream(@Nullable InputStream body, BytesMessage message) throws JMSException {
        return false;
    }

    /**
     * Returns the body of bytes, a map or a stream in the encoding of Artemis Core, in a buffer with an array; null if
     * only the API reads it. Nothing may write into the buffer.
     */
    default @Nullable ByteBuffer coreBody(Message sent) throws JMSException {
        return null;
    }

    /** Returns the type by which an AMQP library marks a message, or null. */
    default @Nullable String amqpType(Message sent) {
        return null;
    }

    /** Returns the object of a message that carries it as an AMQP value, or null. */
    default @Nullable Object typedObject(ObjectMessage sent) throws JMSException {
        return null;
    }

    /** Returns the serialised object of a message, which no library reads for it; null for no object. */
    default byte @Nullable [] serialized(ObjectMessage sent) throws JMSException {
        Serializable object = sent.getObject();
        if (object == null) {
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException e) {
            throw new MessageFormatException(
                    "object: cannot be serialised, " + e.getClass().getName());
        }
        return bytes.toByteArray();
    }

    /** Copies the headers that a producer sets, and its properties but those. */
    default void copyHead(Message from, Message to, Predicate<String> without) throws JMSException {
        for (Object name : Collections.list((Enumeration<?>) from.getPropertyNames())) {
            String property = (String) name;
            if ((OF_PRODUCERS.contains(property) || !property.startsWith("JMS")) && !without.test(property)) {
                putProperty(property, from.getObjectProperty(property), to);
            }
        }
        to.setJMSCorrelationID(from.getJMSCorrelationID());
        to.setJMSReplyTo(from.getJMSReplyTo());
        to.setJMSType(from.getJMSType());
    }
}
