/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Failures;

/**
 * The address of a broker, and the login.
 *
 * @param url of an acceptor for Artemis clients
 * @param user the user of the login, or null
 * @param password of the user, or null
 */
public record BrokerAccess(
        String url, @Nullable String user, @Nullable String password) {
    private static final String SCHEME = "tcp";
    private static final int PATIENCE_MILLIS = 10_000;

    /** A host with an underscore in its name. Such hosts exist, and {@link URI} does not accept them. */
    private static final Pattern ODD_HOST = Pattern.compile("^tcp://([A-Za-z0-9.-]*_[A-Za-z0-9._-]*)(?=:)");

    private static final String STAND_IN = "tcp://stand-in";

    /** Returns an access by the options of a command, and rejects a URL that is not a broker's. */
    public static BrokerAccess of(String url, BrokerLogin login, CommandContext context) throws IOException {
        return new BrokerAccess(checked(url), login.user(), login.password(context));
    }

    private static String checked(String url) {
        try {
            URI parsed = new URI(ODD_HOST.matcher(url).replaceFirst(STAND_IN));
            if (SCHEME.equals(parsed.getScheme()) && parsed.getHost() != null && parsed.getPort() > 0) {
                return url;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw CliException.usage("broker URL: not like tcp://HOST:PORT: " + url);
    }

    /** Returns a factory that gives up after ten seconds without an answer. The caller closes it. */
    public ActiveMQConnectionFactory factory() {
        Matcher odd = ODD_HOST.matcher(url);
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(odd.replaceFirst(STAND_IN));
        odd.reset();
        if (odd.find()) {
            for (TransportConfiguration connector : factory.getStaticConnectors()) {
                connector.getParams().put(TransportConstants.HOST_PROP_NAME, odd.group(1));
            }
        }
        factory.setCallTimeout(PATIENCE_MILLIS);
        factory.setInitialConnectAttempts(1);
        factory.setReconnectAttempts(0);
        return factory;
    }

    /** Connects by a factory that wraps {@link #factory()}. */
    public Connection connect(ConnectionFactory wrapping) throws JMSException {
        return user == null || password == null
                ? wrapping.createConnection()
                : wrapping.createConnection(user, password);
    }

    /** Returns a failure of a client as one of the command. */
    public CliException failure(Exception e) {
        return Failures.find(ActiveMQException.class, e)
                .map(this::artemisFailure)
                .orElseGet(() -> CliException.failure("broker " + url + ": " + Failures.inWords(e)))
                .causedBy(e);
    }

    private CliException artemisFailure(ActiveMQException e) {
        return switch (e.getType()) {
            case NOT_CONNECTED, CONNECTION_TIMEDOUT, DISCONNECTED ->
                CliException.unreachable("broker " + url + ": cannot be reached")
                        .hint("is the broker up, and does this acceptor speak CORE?");
            case SECURITY_EXCEPTION -> rejected(Failures.inWords(e));
            default -> CliException.failure("broker " + url + ": " + Failures.inWords(e));
        };
    }

    /** Returns the failure of a user without permission. */
    CliException rejected(String reason) {
        return CliException.configuration("broker " + url + ": rejected "
                        + (user == null ? "a connection without a user name" : "user '" + user + "'") + ": " + reason)
                .hint("--user, with --broker-password-file or SIGNET_BROKER_PASSWORD, says who asks");
    }
}
