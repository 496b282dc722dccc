/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;

/** A connection that asks a broker for its queues, and by management messages for attributes of its resources. */
public final class BrokerManagement implements AutoCloseable {
    /** The default address for management messages. */
    public static final String ADDRESS = "activemq.management";

    private static final int PATIENCE_MILLIS = 10_000;

    /** The codes of answers for a resource or an attribute that the broker does not have. */
    private static final List<String> MISSING = List.of("AMQ229067", "AMQ229069");

    private static final String FORBIDDEN = "does not have permission";

    private final BrokerAccess access;
    private final String address;
    private final ActiveMQConnectionFactory factory;
    private final ClientSessionFactory connection;
    private final ClientSession session;
    private @Nullable ClientRequestor requestor;

    /**
     * Connects.
     *
     * @param address where the broker takes management messages
     */
    public BrokerManagement(BrokerAccess access, String address) {
        this.access = access;
        this.address = address;
        this.factory = access.factory();
        factory.setBlockOnNonDurableSend(true); // only then the server tells of a rejection
        try {
            this.connection = factory.getServerLocator().createSessionFactory();
            this.session = connection.createSession(access.user(), access.password(), false, true, true, false, 0);
            session.start();
        } catch (Exception e) {
            factory.close();
            throw access.failure(e);
        }
    }

    /** Returns the address of a queue; empty if there is no such queue. */
    public Optional<String> addressOfQueue(String queue) {
        try {
            ClientSession.QueueQuery answer = session.queueQuery(SimpleString.of(queue));
            return answer.isExists() ? Optional.of(answer.getAddress().toString()) : Optional.empty();
        } catch (ActiveMQException e) {
            throw access.failure(e);
        }
    }

    /** Returns an attribute of a resource; empty if the broker has no such resource or attribute, or it is null. */
    Optional<Object> attribute(String resource, String name) {
        try {
            ClientMessage request = session.createMessage(false);
            // not as an attribute: then the broker would not say why there is no answer
            String getter = "get" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
            ManagementHelper.putOperationInvocation(request, resource, getter);
            ClientMessage reply = requestor().request(request, PATIENCE_MILLIS);
            if (reply == null) {
                throw CliException.failure(
                                "broker " + access.url() + ": does not answer management messages at '" + address + "'")
                        .hint("if its broker.xml has a <management-address>, --management-address says so");
            }
            Object answer = ManagementHelper.getResult(reply);
            return ManagementHelper.hasOperationSucceeded(reply) ? Optional.ofNullable(answer) : noAnswer(answer);
        } catch (CliException e) {
            throw e;
        } catch (Exception e) {
            throw access.failure(e);
        }
    }

    /** Makes the requestor at its first use: it needs the permission to make a queue for the answers. */
    private ClientRequestor requestor() throws Exception {
        ClientRequestor made = requestor;
        if (made == null) {
            made = new ClientRequestor(session, address);
            requestor = made;
        }
        return made;
    }

    /** @throws CliException unless there is nothing to be answered */
    private Optional<Object> noAnswer(@Nullable Object why) {
        String reason = Failures.oneLine(String.valueOf(why));
        if (MISSING.stream().anyMatch(reason::contains)) {
            return Optional.empty();
        }
        throw reason.contains(FORBIDDEN)
                ? access.rejected(reason)
                : CliException.failure("broker " + access.url() + ": does not tell its state: " + reason);
    }

    @Override
    public void close() {
        connection.close();
        factory.close();
    }
}
