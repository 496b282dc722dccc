/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider.activemq;

import jakarta.jms.ObjectMessage;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.command.ActiveMQObjectMessage;
import org.apache.activemq.util.ByteSequence;

/** Object messages of the ActiveMQ client. Needs its classes. */
public final class ActiveMqObjects {
    private ActiveMqObjects() {}

    /** Puts it, with the limits that the connection gives to what it receives, but not to what it creates. */
    public static void put(byte[] serialized, ObjectMessage message) {
        ActiveMQObjectMessage activeMq = (ActiveMQObjectMessage) message;
        ActiveMQConnection connection = activeMq.getConnection();
        activeMq.setTrustAllPackages(connection.isTrustAllPackages());
        activeMq.setTrustedPackages(connection.getTrustedPackages());
        activeMq.setContent(new ByteSequence(serialized));
    }
}
