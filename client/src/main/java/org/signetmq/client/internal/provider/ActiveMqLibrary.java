/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQObjectMessage;
import org.apache.activemq.util.ByteSequence;
import org.jspecify.annotations.Nullable;

/** The ActiveMQ client. This class needs the classes of the client. */
public final class ActiveMqLibrary implements ClientLibrary {
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
