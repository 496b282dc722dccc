/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQBytesMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQConnection;
import org.apache.activemq.artemis.jms.client.ActiveMQJMSContext;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQObjectMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.apache.activemq.artemis.jms.client.ActiveMQTextMessage;
import org.apache.activemq.artemis.jms.client.ConnectionFactoryOptions;
import org.jspecify.annotations.Nullable;
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
     * Rolls the acknowledgements of the session back. The library's own recover also counts a delivery of the first
     * message that waits in the client. A sound message behind a bad one would then become a dead letter.
     */
    @Override
    public void giveBack(Message arrived, ProviderSession session) throws JMSException {
        recover(session);
    }

    /** Recovers as {@link #giveBack} does, or by the API if a pool hides the session. */
    @Override
    public void recover(ProviderSession session) throws JMSException {
        ClientSession core = coreSession(session);
        if (core == null) {
            session.recover();
            return;
        }
        try {
            awaitResponses(core);
            core.rollback();
        } catch (ActiveMQException e) {
            JMSException failure = new JMSException("session: cannot be recovered");
            failure.initCause(e);
            throw failure;
        }
    }

    /** Returns the session of the Core protocol; null if a pool hides it. */
    private static @Nullable ClientSession coreSession(ProviderSession session) {
        Object used = session.provider() instanceof ActiveMQJMSContext context
                ? context.getUsedSession()
                : session.provider();
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

    /** Makes the message late. A session that was closed before the opening throws here, as for any new message. */
    @Override
    public MessageMaker<BytesMessage> bytesMaker(Message arrived, ProviderSession session) throws JMSException {
        ClientSession core = makesLate(arrived) ? openSession(session) : null;
        return core == null
                ? ClientLibrary.super.bytesMaker(arrived, session)
                : () -> (BytesMessage) empty(ActiveMQBytesMessage.TYPE, core);
    }

    /** Makes the message late, as {@link #bytesMaker} does. */
    @Override
    public MessageMaker<TextMessage> textMaker(Message arrived, ProviderSession session) throws JMSException {
        ClientSession core = makesLate(arrived) ? openSession(session) : null;
        return core == null
                ? ClientLibrary.super.textMaker(arrived, session)
                : () -> (TextMessage) empty(ActiveMQTextMessage.TYPE, core);
    }

    /** Returns whether the session makes ordinary messages, and no subclasses for old prefixes of names. */
    private static boolean makesLate(Message arrived) {
        return arrived.getClass() == ActiveMQBytesMessage.class;
    }

    private static @Nullable ClientSession openSession(ProviderSession session) {
        ClientSession core = coreSession(session);
        return core == null || core.isClosed() ? null : core;
    }

    private static ActiveMQMessage empty(byte type, ClientSession core) throws JMSException {
        ActiveMQMessage made = ActiveMQMessage.createMessage(core.createMessage(type, true), null);
        made.clearBody(); // this library takes it for a received message, which rejects writing
        made.clearProperties();
        return made;
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
}
