/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSession.AddressQuery;
import org.apache.activemq.artemis.core.client.impl.ClientConsumerInternal;
import org.apache.activemq.artemis.core.client.impl.ClientLargeMessageInternal;
import org.apache.activemq.artemis.core.client.impl.ClientSessionImpl;
import org.apache.activemq.artemis.core.client.impl.LargeMessageControllerImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQBytesMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQConnection;
import org.apache.activemq.artemis.jms.client.ActiveMQDestination;
import org.apache.activemq.artemis.jms.client.ActiveMQJMSContext;
import org.apache.activemq.artemis.jms.client.ActiveMQMapMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQObjectMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.apache.activemq.artemis.jms.client.ActiveMQStreamMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQTextMessage;
import org.apache.activemq.artemis.jms.client.ConnectionFactoryOptions;
import org.apache.activemq.artemis.jms.client.JMSExceptionHelper;
import org.apache.activemq.artemis.jms.client.ThreadAwareContext;
import org.apache.activemq.artemis.jms.client.compatible1X.ActiveMQCompatibleMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.Opener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Artemis client. This class needs the classes of the client. */
public final class ArtemisLibrary implements ClientLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(ArtemisLibrary.class);

    /** A queue that need not exist. */
    private static final SimpleString ANY_QUEUE = SimpleString.of("signet");

    @Override
    public ClientProtocol protocol() {
        return ClientProtocol.CORE;
    }

    /** Needs the options of the factory, because they limit the classes of objects. */
    @Override
    public DirectConsumer.@Nullable Maker directConsumers(ConnectionFactory factory, Connection connection) {
        return factory instanceof ConnectionFactoryOptions options
                        && connection instanceof ActiveMQConnection artemis
                        && ArtemisDirectConsumer.isPossible()
                ? new ArtemisDirectConsumer.Maker(options, artemis.getThreadAwareContext())
                : null;
    }

    @Override
    public @Nullable InputStream largeBody(Message arrived) throws IOException {
        return ArtemisLargeBody.of(arrived);
    }

    /** Returns the body that the client copied from the packet. The body of a large message is not in memory. */
    @Override
    public @Nullable ByteBuffer bytesOf(BytesMessage arrived) throws JMSException {
        return arrived instanceof ActiveMQBytesMessage artemis
                        && !artemis.getCoreMessage().isLargeMessage()
                ? artemis.getCoreMessage().getBodyBuffer().toByteBuffer(CoreMessage.BODY_OFFSET, (int)
                        artemis.getBodyLength())
                : null;
    }

    /**
     * Rolls the acknowledgements of the session back; by the API if a pool hides the session. The library's own recover
     * also counts a delivery of the first message that waits in the client. A sound message behind a bad one would then
     * become a dead letter.
     */
    @Override
    public void recover(Session session) throws JMSException {
        ClientSession core = coreSession(session);
        if (core == null) {
            session.recover();
            return;
        }
        try {
            awaitResponses(core);
            core.rollback();
        } catch (ActiveMQException e) {
            throw Wrapper.caused(new JMSException("session: cannot be recovered"), e);
        }
    }

    /** Makes a call below JMS, and throws what the client would throw. */
    private static <T> @Nullable T below(CoreCall<T> call) throws JMSException {
        try {
            return call.run();
        } catch (ActiveMQException e) {
            throw JMSExceptionHelper.convertFromActiveMQException(e);
        } catch (ActiveMQInterruptedException e) {
            throw JMSExceptionHelper.convertFromActiveMQException(e);
        }
    }

    private interface CoreCall<T> {
        @Nullable
        T run() throws ActiveMQException, JMSException;
    }

    /** Returns the session of the Core protocol; null if a pool hides it. */
    private static @Nullable ClientSession coreSession(Session session) {
        Object used = ProviderSession.provider(session) instanceof ActiveMQJMSContext context
                ? context.getUsedSession()
                : ProviderSession.provider(session);
        return used instanceof ActiveMQSession artemis ? artemis.getCoreSession() : null;
    }

    /**
     * Waits until the broker has answered all requests. An acknowledgement in CLIENT_ACKNOWLEDGE is a commit, and the
     * client does not wait for its answer. It takes that answer for the answer to its next request. A rollback begins
     * with the request to stop deliveries. If it continues before the broker has read that request, an old message
     * stays in the client. Its acknowledgement then covers the messages before it. A query is safe, because its answer
     * has another type.
     */
    private static void awaitResponses(ClientSession session) {
        try {
            session.queueQuery(ANY_QUEUE);
        } catch (ActiveMQException earlier) {
            LOG.debug("the broker rejected an acknowledgement: {}", earlier.getMessage()); // the rollback includes it
        }
    }

    /** Also sets names of MQTT that are no Java names. The library reads such names, but does not set them. */
    @Override
    public void putProperty(String name, Object value, Message message) throws JMSException {
        try {
            message.setObjectProperty(name, value);
        } catch (JMSRuntimeException rejected) {
            ((ActiveMQMessage) message).getCoreMessage().putObjectProperty(SimpleString.of(name), value);
        }
    }

    @Override
    public <M extends Message> MessageMaker<M> maker(Class<M> type, Message arrived, Session session)
            throws JMSException {
        ClientSession core = late(arrived, session);
        byte code = type == TextMessage.class ? ActiveMQTextMessage.TYPE : ActiveMQBytesMessage.TYPE;
        return core == null ? ClientLibrary.super.maker(type, arrived, session) : () -> type.cast(empty(code, core));
    }

    /**
     * Returns the session that makes the message late; null if it was closed before the opening, which throws as for
     * any new message, or makes no ordinary messages but subclasses for old prefixes of names.
     */
    private static @Nullable ClientSession late(Message arrived, Session session) {
        ClientSession core = arrived.getClass() == ActiveMQBytesMessage.class ? coreSession(session) : null;
        return core == null || core.isClosed() ? null : core;
    }

    private static ActiveMQMessage empty(byte type, ClientSession core) throws JMSException {
        ActiveMQMessage made = ActiveMQMessage.createMessage(core.createMessage(type, true), null);
        made.clearBody(); // this library takes it for a received message, which rejects writing
        made.clearProperties();
        return made;
    }

    /** Copies below JMS, where all headers are properties. A long body is streamed. */
    @Override
    public Message copy(Message arrived, @Nullable InputStream large, Session session) throws JMSException {
        ClientMessage from = ((ActiveMQMessage) arrived).getCoreMessage();
        ActiveMQMessage made = (ActiveMQMessage) emptyOf(from.getType(), session);
        ClientMessage to = made.getCoreMessage();
        copyHead(arrived, made, ClientLibrary::isLeftOut);
        if (large != null) {
            to.setBodyInputStream(large);
            return made;
        }
        ActiveMQBuffer body = from.getBodyBuffer();
        byte[] bytes = new byte[body.writerIndex() - CoreMessage.BODY_OFFSET];
        body.getBytes(CoreMessage.BODY_OFFSET, bytes);
        to.getBodyBuffer().clear();
        to.getBodyBuffer().writeBytes(bytes);
        return Objects.requireNonNull(below(() -> {
            made.doBeforeReceive(); // the message takes its values from the body
            to.getBodyBuffer().resetReaderIndex();
            return made;
        }));
    }

    /** Makes a message by the API, because a context begins its session only then. */
    private static Message emptyOf(byte type, Session session) throws JMSException {
        return switch (type) {
            case ActiveMQBytesMessage.TYPE -> session.createBytesMessage();
            case ActiveMQTextMessage.TYPE -> session.createTextMessage();
            case ActiveMQMapMessage.TYPE -> session.createMapMessage();
            case ActiveMQStreamMessage.TYPE -> session.createStreamMessage();
            case ActiveMQObjectMessage.TYPE -> session.createObjectMessage();
            default -> session.createMessage();
        };
    }

    private static ClientSession shownSession(Session session) throws JMSException {
        ClientSession core = coreSession(session);
        if (core == null) {
            throw new JMSException("session: a pool hides it, so nothing tells whether the quarantine has a queue");
        }
        return core;
    }

    @Override
    public void requireQueue(String address, Session session) throws JMSException {
        AddressQuery found = below(() -> shownSession(session).addressQuery(SimpleString.of(address)));
        if (found == null || found.getQueueNames().isEmpty()) {
            throw new InvalidDestinationException("address " + address + ": has no queue");
        }
    }

    @Override
    public boolean confirmsSends(Session session) {
        return !(coreSession(session) instanceof ClientSessionImpl core)
                || core.getSessionFactory().getServerLocator().isBlockOnDurableSend();
    }

    @Override
    public @Nullable ObjectSource putObject(byte[] serialized, ObjectMessage message) throws JMSException {
        ActiveMQObjectMessage artemis = (ActiveMQObjectMessage) message;
        ActiveMQBuffer body = artemis.getCoreMessage().getBodyBuffer();
        body.writeInt(serialized.length);
        body.writeBytes(serialized);
        try {
            artemis.doBeforeReceive(); // takes the object's bytes from the body as for any received message
        } catch (ActiveMQException e) {
            throw new JMSException("object: cannot be put into a message of the provider");
        }
        return null;
    }

    @Override
    public boolean putEncoded(byte[] body, StreamMessage message) throws JMSException {
        if (!(message instanceof ActiveMQMessage artemis)) {
            return false;
        }
        artemis.getCoreMessage().getBodyBuffer().writeBytes(body);
        message.reset();
        return true;
    }

    @Override
    public @Nullable InputStream givenStream(Message sent) {
        return sent instanceof ActiveMQMessage artemis
                ? artemis.getCoreMessage().getBodyInputStream()
                : null;
    }

    @Override
    public boolean putStream(@Nullable InputStream body, BytesMessage message) throws JMSException {
        if (message instanceof ActiveMQBytesMessage artemis) {
            artemis.getCoreMessage().setBodyInputStream(body);
            return true;
        }
        return false;
    }

    /** Lets the library write its values into the body, as it does to send the message. */
    @Override
    public @Nullable ByteBuffer coreBody(Message sent) throws JMSException {
        if (!(sent instanceof ActiveMQMessage artemis)
                || artemis.getCoreMessage().isLargeMessage()) {
            return null;
        }
        try {
            artemis.doBeforeSend();
        } catch (Exception e) {
            throw Wrapper.caused(new JMSException("body: cannot be encoded"), e);
        }
        int length = artemis.getCoreMessage().getBodyBufferSize();
        ByteBuffer bytes = artemis.getCoreMessage().getBodyBuffer().toByteBuffer(CoreMessage.BODY_OFFSET, length);
        return bytes.hasArray() ? bytes : ByteBuffer.allocate(length).put(bytes).flip();
    }

    @Override
    public byte @Nullable [] serialized(ObjectMessage sent) throws JMSException {
        ByteBuffer body = coreBody(sent);
        if (body == null) {
            return ClientLibrary.super.serialized(sent);
        }
        return body.remaining() < Integer.BYTES
                ? null
                : Arrays.copyOfRange(
                        body.array(),
                        body.arrayOffset() + body.position() + Integer.BYTES,
                        body.arrayOffset() + body.limit());
    }

    /** Copies all properties below JMS, because this library keeps the headers of a producer in them. */
    @Override
    public void copyHead(Message from, Message to, Predicate<String> without) throws JMSException {
        if (from instanceof ActiveMQMessage sent && to instanceof ActiveMQMessage made) {
            ClientMessage source = sent.getCoreMessage();
            for (SimpleString name : source.getPropertyNames()) {
                if (!without.test(name.toString())) {
                    made.getCoreMessage().putObjectProperty(name, source.getObjectProperty(name));
                }
            }
        } else {
            ClientLibrary.super.copyHead(from, to, without);
        }
    }

    /**
     * The body of a large message of the Artemis client, as a stream. The client buffers at most its window. This class
     * needs the classes of the client. For one thread at a time.
     */
    private static final class ArtemisLargeBody extends BulkInputStream {
        /** The bytes that show whether a body is an envelope. */
        private static final int GLANCE = 64;

        /** The greatest length in bytes of a body that is opened as a whole. */
        private static final long MOST_WHOLE = 8 << 20;

        private static final int BLOCK = 8192;

        private final LargeMessageControllerImpl packets;
        private long position = GLANCE;

        private ArtemisLargeBody(LargeMessageControllerImpl packets) {
            this.packets = packets;
        }

        /** Returns the body if it arrives in packets, is large and sealed; else null, and the body is unread. */
        static @Nullable InputStream of(Message message) throws IOException {
            if (message instanceof ActiveMQMessage artemis
                    && artemis.getCoreMessage() instanceof ClientLargeMessageInternal large
                    && large.getLargeMessageController() instanceof LargeMessageControllerImpl packets
                    && packets.getSize() > MOST_WHOLE) {
                // The client reads only forward, and keeps a packet that was begun for a later call for the whole body.
                byte[] first = get(packets, 0, GLANCE);
                return Opener.looksSealed(first)
                        ? new SequenceInputStream(new ByteArrayInputStream(first), new ArtemisLargeBody(packets))
                        : null;
            }
            return null;
        }

        @Override
        protected int readSome(byte[] into, int offset, int length) throws IOException {
            long left = packets.getSize() - position;
            if (left <= 0) {
                return -1;
            }
            int count = (int) Math.min(Math.min(length, BLOCK), left);
            System.arraycopy(get(packets, position, count), 0, into, offset, count);
            position += count;
            return count;
        }

        /** Reads bytes. The client throws many types if packets do not arrive or the consumer is closed. */
        private static byte[] get(LargeMessageControllerImpl packets, long from, int length) throws IOException {
            byte[] bytes = new byte[length];
            try {
                packets.getBytes(from, bytes);
                return bytes;
            } catch (RuntimeException | IllegalAccessError e) {
                throw new IOException("body: the rest of the large message cannot be read, at byte " + from, e);
            }
        }
    }

    /**
     * A consumer of the Artemis client that receives below JMS. There a message is acknowledged by one packet without
     * an answer. In CLIENT_ACKNOWLEDGE it needs the packet, a commit and the broker's answer.
     */
    private static final class ArtemisDirectConsumer implements DirectConsumer {
        private static final int NO_MESSAGE = -1;

        private final MessageConsumer consumer;
        private final ActiveMQSession session;
        private final ClientConsumerInternal core;
        private final Conversion conversion;
        private final ThreadAwareContext threads;

        private @Nullable ClientMessage unacknowledged;
        private int priority = NO_MESSAGE;
        private boolean mixedPriorities;
        private long returned = NO_MESSAGE;

        private ArtemisDirectConsumer(
                MessageConsumer consumer,
                ActiveMQSession session,
                ClientConsumerInternal core,
                Conversion conversion,
                ThreadAwareContext threads) {
            this.consumer = consumer;
            this.session = session;
            this.core = core;
            this.conversion = conversion;
            this.threads = threads;
        }

        /** Returns whether this version of the client shows the consumers of its sessions. */
        static boolean isPossible() {
            try {
                return Modifier.isPublic(
                        ClientSessionImpl.class.getMethod("cloneConsumers").getModifiers());
            } catch (NoSuchMethodException e) {
                return false;
            }
        }

        /** Makes direct consumers. */
        record Maker(ConnectionFactoryOptions options, ThreadAwareContext threads) implements DirectConsumer.Maker {
            @Override
            public DirectConsumer make(Session session, Destination destination, Creation creation)
                    throws JMSException {
                ActiveMQSession artemis = (ActiveMQSession) session;
                ClientSessionImpl core = (ClientSessionImpl) artemis.getCoreSession();
                Set<ClientConsumerInternal> others = core.cloneConsumers(); // of browsers
                MessageConsumer consumer = creation.on(session);
                Set<ClientConsumerInternal> added = core.cloneConsumers();
                added.removeAll(others);
                RoutingType routing =
                        ((ActiveMQDestination) destination).isQueue() ? RoutingType.ANYCAST : RoutingType.MULTICAST;
                return new ArtemisDirectConsumer(
                        consumer, artemis, added.iterator().next(), new Conversion(artemis, routing, options), threads);
            }
        }

        /** Makes messages of JMS as the client's own consumer does. */
        private record Conversion(ActiveMQSession session, RoutingType routing, ConnectionFactoryOptions options) {
            ActiveMQMessage of(ClientMessage message) throws ActiveMQException {
                if (message.getRoutingType() == null) {
                    message.setRoutingType(routing);
                }
                ClientSession forObjects =
                        message.getType() == ActiveMQObjectMessage.TYPE ? session.getCoreSession() : null;
                ActiveMQMessage converted = session.isEnable1xPrefixes()
                        ? ActiveMQCompatibleMessage.createMessage(message, forObjects, options)
                        : ActiveMQMessage.createMessage(message, forObjects, options);
                converted.doBeforeReceive();
                return converted;
            }
        }

        @Override
        public MessageConsumer consumer() {
            return consumer;
        }

        @Override
        public ReceiveTimeout.Call receiving() {
            return millis -> below(() -> {
                ClientMessage message =
                        millis == ReceiveTimeout.AT_ONCE ? core.receiveImmediate() : core.receive(millis);
                if (message == null) {
                    return null;
                }
                began(message);
                return converted(message);
            });
        }

        /** Gives a message back whose body is not of its type. The library leaves such a message unacknowledged. */
        private Message converted(ClientMessage message) throws ActiveMQException, JMSException {
            try {
                return conversion.of(message);
            } catch (RuntimeException e) {
                JMSException failure = Wrapper.caused(new JMSException("message: its body is not of its type"), e);
                try {
                    recover();
                } catch (JMSException | RuntimeException notReturned) {
                    failure.addSuppressed(notReturned);
                }
                throw failure;
            }
        }

        private void began(ClientMessage message) {
            unacknowledged = message;
            mixedPriorities |= priority != NO_MESSAGE && priority != message.getPriority();
            priority = message.getPriority();
        }

        /** Also tells the client that the message is settled, or the client acknowledges it once more. */
        @Override
        public MessageListener listening(MessageListener listener) {
            return arrived -> {
                began(((ActiveMQMessage) arrived).getCoreMessage());
                try {
                    listener.onMessage(arrived);
                } finally {
                    session.setRecoverCalled(true);
                }
            };
        }

        /** Listens below JMS, where the client would acknowledge the message before it calls the listener. */
        @Override
        public void listenInXa(@Nullable MessageListener listener) throws JMSException {
            below(() -> core.setMessageHandler(listener == null ? null : message -> call(listener, message)));
        }

        /** Calls a listener as the client does. It logs an exception, because its caller would. */
        private void call(MessageListener listener, ClientMessage message) {
            threads.setCurrentThread(false); // so that the client refuses to close a session in its listener
            try {
                listener.onMessage(conversion.of(message));
            } catch (ActiveMQException | RuntimeException e) {
                LOG.warn("XA session: message listener failed: {}", e.getClass().getName());
            } finally {
                threads.clearCurrentThread(false);
            }
        }

        /**
         * Acknowledges this message only. A message that could not be given back must not count as acknowledged too.
         */
        @Override
        public void acknowledge(Message arrived) throws JMSException {
            unacknowledged = null;
            below(() -> {
                ((ActiveMQMessage) arrived).getCoreMessage().individualAcknowledge();
                return null;
            });
        }

        @Override
        public void giveBack(Message arrived) throws JMSException {
            recover();
        }

        /**
         * Rolls the session back, if a message is unacknowledged. The broker counts a delivery of the message that it
         * delivered first. The client passes messages on by their priority, so a waiting message may be the first. Then
         * this method returns all without a count. They come again in the order of their priority, so the next attempt
         * counts this message.
         */
        @Override
        public void recover() throws JMSException {
            ClientMessage message = unacknowledged;
            if (message == null) {
                return;
            }
            boolean isFirst = !mixedPriorities || message.getMessageID() == returned || core.getBufferSize() == 0;
            returned = message.getMessageID();
            unacknowledged = null;
            below(() -> {
                session.getCoreSession().rollback(isFirst);
                return null;
            });
        }
    }
}
