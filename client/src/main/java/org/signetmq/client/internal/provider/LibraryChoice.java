/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Method;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQObjectMessage;
import org.apache.activemq.util.ByteSequence;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.jms.message.JmsObjectMessage;
import org.apache.qpid.jms.message.JmsStreamMessage;
import org.apache.qpid.jms.message.facade.JmsStreamMessageFacade;
import org.apache.qpid.jms.policy.JmsDeserializationPolicy;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.jms.provider.amqp.message.AmqpSerializedObjectDelegate;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary.ArrivedMessage;

/**
 * Chooses the client library of one connection by the class of the connection or context. A pool hides that class. The
 * choice then uses the class of the first message. It compares names only, because the classes of a library may be
 * absent. Thread-safe.
 */
public final class LibraryChoice {
    private static final ClientLibrary PLAIN = new Plain();

    private volatile @Nullable ClientLibrary chosen;

    /**
     * Chooses by the class of the provider's object.
     *
     * @param provider a connection or a context
     */
    public LibraryChoice(Object provider) {
        chosen = find(provider);
    }

    /** Returns the library that makes connections of this factory. */
    public static ClientLibrary of(ConnectionFactory factory) {
        ClientLibrary found = find(factory);
        return found == null ? PLAIN : found;
    }

    /** Returns the library; a library that follows the API while a pool hides it. */
    public ClientLibrary library() {
        ClientLibrary known = chosen;
        return known == null ? PLAIN : known;
    }

    /** Returns a message with the library that delivered it. */
    public ArrivedMessage arrived(Message message) {
        ClientLibrary known = chosen;
        if (known == null) {
            known = find(message);
            known = known == null ? PLAIN : known;
            chosen = known;
        }
        return new ArrivedMessage(message, known);
    }

    private static @Nullable ClientLibrary find(Object provided) {
        for (Class<?> type = provided.getClass(); type != null; type = type.getSuperclass()) {
            String name = type.getName();
            if (name.startsWith("org.apache.activemq.artemis.jms.client.")) {
                return new ArtemisLibrary();
            } else if (name.startsWith("org.apache.activemq.ActiveMQ")
                    || name.startsWith("org.apache.activemq.command.")) {
                return new ActiveMqLibrary();
            } else if (name.startsWith("org.apache.qpid.jms.")) {
                return new QpidLibrary();
            }
        }
        return null;
    }

    /** Any other client library. It follows the API. */
    private static final class Plain implements ClientLibrary {
        @Override
        public ClientProtocol protocol() {
            return ClientProtocol.AMQP;
        }

        @Override
        public ObjectSource putObject(byte[] serialized, ObjectMessage message) {
            return new FilteredObject(serialized);
        }
    }

    /** The ActiveMQ client. This class needs the classes of the client. */
    private static final class ActiveMqLibrary implements ClientLibrary {
        /** The annotation of an AMQP message, as the broker converts it to a property. */
        private static final String ORIGINAL_ADDRESS = "JMS_AMQP_MA_x-opt-ORIG-ADDRESS";

        @Override
        public ClientProtocol protocol() {
            return ClientProtocol.OPENWIRE;
        }

        /** Passes a user name, because version 5.19 creates contexts of any mode only with one. */
        @Override
        public JMSContext createContext(ConnectionFactory factory, int mode) {
            ActiveMQConnectionFactory activeMq = (ActiveMQConnectionFactory) factory;
            return activeMq.createContext(activeMq.getUserName(), activeMq.getPassword(), mode);
        }

        /** Forgets the unacknowledged messages of a consumer before it waits for the consumer's listener. */
        @Override
        public boolean closingDropsAcknowledgements() {
            return true;
        }

        @Override
        public @Nullable Object originalAddress(Message arrived) throws JMSException {
            Object annotated = arrived.getObjectProperty(ORIGINAL_ADDRESS);
            ActiveMQDestination original = ((ActiveMQMessage) arrived).getOriginalDestination();
            return annotated != null || original == null ? annotated : original.getPhysicalName();
        }

        /** Also sets the limits of the connection, which the client itself sets only on messages that it receives. */
        @Override
        public @Nullable ObjectSource putObject(byte[] serialized, ObjectMessage message) {
            ActiveMQObjectMessage activeMq = (ActiveMQObjectMessage) message;
            ActiveMQConnection connection = activeMq.getConnection();
            activeMq.setTrustAllPackages(connection.isTrustAllPackages());
            activeMq.setTrustedPackages(connection.getTrustedPackages());
            activeMq.setContent(new ByteSequence(serialized));
            return null;
        }
    }

    /** Qpid JMS. This class needs the classes of the client. */
    private static final class QpidLibrary implements ClientLibrary {
        private static final String ORIGINAL_ADDRESS = "x-opt-ORIG-ADDRESS";

        /** The property of a message that sets the outcome of its delivery. */
        private static final String OUTCOME = "JMS_AMQP_ACK_TYPE";

        /** The outcome modified with delivery-failed (AMQP 1.0 section 3.4.5). */
        private static final int DELIVERY_FAILED = 4;

        @Override
        public ClientProtocol protocol() {
            return ClientProtocol.AMQP;
        }

        /** Settles the delivery as failed. A recovery stays within the client, where the broker counts no delivery. */
        @Override
        public void giveBack(Message arrived, ProviderSession session) throws JMSException {
            arrived.setIntProperty(OUTCOME, DELIVERY_FAILED);
            arrived.acknowledge();
        }

        /** Reads the message annotation by the only public method for it, which the library has for tracers. */
        @Override
        public @Nullable Object originalAddress(Message arrived) {
            return ((JmsMessage) arrived).getFacade().getTracingAnnotation(ORIGINAL_ADDRESS);
        }

        @Override
        public ObjectSource putObject(byte[] serialized, ObjectMessage message) throws ReflectiveOperationException {
            return Objects.put(serialized, message);
        }

        @Override
        public boolean takesTypedItems() {
            return true;
        }

        @Override
        public void appendItem(@Nullable Object item, StreamMessage message) {
            ((JmsStreamMessageFacade) ((JmsStreamMessage) message).getFacade()).put(item);
        }

        /**
         * Reads objects with Qpid JMS. The library trusts the content of a new message as the application's own. So its
         * reader of received objects reads the object, under the policy of the connection. It needs a setter that is
         * not public.
         */
        private static final class Objects implements ObjectSource {
            private final AmqpSerializedObjectDelegate reader;

            private Objects(AmqpSerializedObjectDelegate reader) {
                this.reader = reader;
            }

            static Objects put(byte[] serialized, ObjectMessage message) throws ReflectiveOperationException {
                JmsObjectMessage qpid = (JmsObjectMessage) message;
                JmsDeserializationPolicy policy = qpid.getConnection().getDeserializationPolicy();
                if (policy == null) {
                    throw new IllegalStateException("connection: no deserialization policy");
                }
                AmqpJmsMessageFacade facade = (AmqpJmsMessageFacade) qpid.getFacade();
                Method setBody = AmqpJmsMessageFacade.class.getDeclaredMethod("setBody", Section.class);
                setBody.setAccessible(true);
                setBody.invoke(facade, new Data(new Binary(serialized)));
                return new Objects(new AmqpSerializedObjectDelegate(facade, policy));
            }

            @Override
            public @Nullable Serializable object() throws JMSException {
                try {
                    return reader.getObject();
                } catch (IOException
                        | ClassNotFoundException e) { // Qpid JMS reports it to the application in the same way
                    MessageFormatException rejected =
                            new MessageFormatException("Failed to read object: " + e.getMessage());
                    rejected.setLinkedException(e);
                    rejected.initCause(e);
                    throw rejected;
                }
            }

            @Override
            public void complete(ObjectMessage content) {
                // the content already holds the bytes
            }
        }
    }
}
