/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.connection.Management.ManagementException;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;

/**
 * The address of a broker, and the login.
 *
 * @param url for Artemis clients
 * @param patience how long to wait for an answer, in milliseconds
 */
public record BrokerAccess(String url, Credentials credentials, int patience) {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final String STAND_IN = "stand-in-";
    private static final String NO_LOGIN = "AMQ229031";
    private static final String NO_CERTIFICATE = "; SSL certificate subject DN: unavailable";

    /** Makes an access that waits ten seconds for each answer. */
    public BrokerAccess(String url, Credentials credentials) {
        this(url, credentials, PATIENCE_MILLIS);
    }

    /** Returns this access with another patience, in milliseconds. */
    public BrokerAccess waiting(int millis) {
        return new BrokerAccess(url, credentials, millis);
    }

    /** Returns the broker for messages, without the passwords that its URL may have. */
    public String name() {
        return "broker " + BrokerUrl.shown(url);
    }

    /** Returns a factory that logs in, and gives up if no answer comes in time. The caller closes it. */
    public ActiveMQConnectionFactory factory() {
        List<String> oddHosts = new ArrayList<>();
        ActiveMQConnectionFactory factory =
                new ActiveMQConnectionFactory(BrokerUrl.ODD_HOST.matcher(url).replaceAll(odd -> {
                    oddHosts.add(odd.group(1));
                    return STAND_IN + (oddHosts.size() - 1);
                }));
        for (TransportConfiguration connector : factory.getStaticConnectors()) {
            Map<String, Object> parameters = connector.getParams();
            String host = String.valueOf(parameters.get(TransportConstants.HOST_PROP_NAME));
            if (host.startsWith(STAND_IN) && !oddHosts.isEmpty()) {
                parameters.put(
                        TransportConstants.HOST_PROP_NAME,
                        oddHosts.get(Integer.parseInt(host.substring(STAND_IN.length()))));
            }
            parameters.putAll(credentials.transport());
            // a thread of the network that outlives the connection would hold up the end of the process by 0.3 s
            parameters.putIfAbsent(TransportConstants.USE_GLOBAL_WORKER_POOL_PROP_NAME, false);
            parameters.putIfAbsent(TransportConstants.QUIET_PERIOD, 0);
        }
        factory.setUser(credentials.user());
        factory.setPassword(credentials.password());
        factory.setCallTimeout(patience);
        factory.setInitialConnectAttempts(1);
        factory.setReconnectAttempts(0);
        factory.setBlockOnNonDurableSend(true); // only then the broker tells of a rejection
        return factory;
    }

    /** A question to a broker. */
    interface Question<T> {
        /** Returns the answer that comes in a session. */
        T ask(ClientSession session) throws Exception;
    }

    /** Returns the answer of the broker to a question, for which it connects. */
    <T> T answer(Question<T> question) {
        try (ActiveMQConnectionFactory factory = factory();
                ClientSessionFactory connection = factory.getServerLocator().createSessionFactory()) {
            // the connection closes it: an answer that came is right even if that fails
            ClientSession session =
                    connection.createSession(credentials.user(), credentials.password(), false, true, true, false, 0);
            session.start();
            return question.ask(session);
        } catch (CliException e) {
            throw e;
        } catch (Exception e) {
            throw failure(e);
        }
    }

    /** Returns the address of a queue; empty if the broker has no such queue. */
    public Optional<String> addressOf(String queue) {
        return answer(session -> {
            ClientSession.QueueQuery found = session.queueQuery(SimpleString.of(queue));
            return found.isExists() ? Optional.of(found.getAddress().toString()) : Optional.empty();
        });
    }

    /** Returns a failure of a client as one of the command. */
    public CliException failure(Exception e) {
        return Failures.find(ManagementException.class, e)
                .map(this::unanswered)
                .or(() -> Failures.find(ActiveMQException.class, e).map(this::artemisFailure))
                .orElseGet(() -> CliException.failure(name() + ": " + Failures.inWords(e)))
                .causedBy(e);
    }

    private CliException unanswered(ManagementException e) {
        String message = name() + ": " + Failures.inWords(e);
        return switch (e.reason()) {
            case LOST -> CliException.unreachable(message);
            case SILENT ->
                CliException.failure(message)
                        .hint("if its broker.xml has a <management-address>, --management-address says so");
            case NO_RESOURCE, NO_OPERATION -> CliException.failure(message);
        };
    }

    private CliException artemisFailure(ActiveMQException e) {
        return switch (e.getType()) {
            case NOT_CONNECTED, CONNECTION_TIMEDOUT, DISCONNECTED ->
                CliException.unreachable(name() + ": cannot be reached")
                        .hint("is the broker up, does this acceptor speak CORE, and do both sides accept the"
                                + " certificate of the other?");
            case SECURITY_EXCEPTION -> rejected(Failures.inWords(e));
            default -> CliException.failure(name() + ": " + Failures.inWords(e));
        };
    }

    /** Returns the failure of a user without permission. */
    CliException rejected(String reason) {
        if (credentials.user() == null) {
            return CliException.configuration(name() + ": rejected a connection without a user name: "
                            + reason.replace(NO_CERTIFICATE, ""))
                    .hint(
                            "--user or SIGNET_BROKER_USER, with --broker-password-file or SIGNET_BROKER_PASSWORD, says who"
                                    + " asks");
        }
        String who = name() + ": rejected user '" + credentials.user() + "': ";
        return reason.contains(NO_LOGIN) && reason.contains(NO_CERTIFICATE)
                ? CliException.configuration(who + "the user or the password is wrong")
                : CliException.configuration(who + reason);
    }

    /**
     * The login of a command at a broker, and its parameters of the connection.
     *
     * @param user the user of the login, or null
     * @param password of the user; null without a user
     * @param transport parameters of the connection beside those of the URL, by their names in Artemis
     */
    public record Credentials(
            @Nullable String user, @Nullable String password, Map<String, String> transport) {
        static final Credentials NONE = new Credentials(null, null, Map.of());

        public Credentials {
            transport = Map.copyOf(transport);
        }

        /** Returns a text without the passwords. */
        @Override
        public String toString() {
            return "Credentials[" + user + "]";
        }
    }
}
