/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Asks a broker about itself by management messages. */
final class BrokerManagement implements AutoCloseable {
    private static final String ADDRESS = "activemq.management";
    private static final int PATIENCE_MILLIS = 10_000;

    private final BrokerAccess access;
    private final ActiveMQConnectionFactory factory;
    private final ClientSessionFactory connection;
    private final ClientSession session;
    private final ClientRequestor requestor;

    /** Connects. */
    BrokerManagement(BrokerAccess access) {
        this.access = access;
        this.factory = access.factory();
        try {
            this.connection = factory.getServerLocator().createSessionFactory();
            this.session = connection.createSession(access.user(), access.password(), false, true, true, false, 0);
            this.requestor = new ClientRequestor(session, ADDRESS);
            session.start();
        } catch (Exception e) {
            factory.close();
            throw access.failure(e);
        }
    }

    /** The address that a queue belongs to, if there is such a queue. */
    Optional<String> addressOfQueue(String queue) {
        try {
            ClientSession.QueueQuery answer = session.queueQuery(SimpleString.of(queue));
            return answer.isExists() ? Optional.of(answer.getAddress().toString()) : Optional.empty();
        } catch (ActiveMQException e) {
            throw access.failure(e);
        }
    }

    /** What a resource says of itself; empty if the broker has no such resource or attribute, or it is null. */
    Optional<Object> attribute(String resource, String name) {
        try {
            ClientMessage request = session.createMessage(false);
            ManagementHelper.putAttribute(request, resource, name);
            ClientMessage reply = requestor.request(request, PATIENCE_MILLIS);
            if (reply == null) {
                throw CliException.failure("broker " + access.url() + ": does not answer management messages");
            }
            return ManagementHelper.hasOperationSucceeded(reply)
                    ? Optional.ofNullable(ManagementHelper.getResult(reply))
                    : Optional.empty();
        } catch (CliException e) {
            throw e;
        } catch (Exception e) {
            throw access.failure(e);
        }
    }

    @Override
    public void close() {
        connection.close();
        factory.close();
    }
}
