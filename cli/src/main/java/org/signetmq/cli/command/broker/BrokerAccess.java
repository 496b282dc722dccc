/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Shell;
import org.signetmq.keystore.home.PermissionCheck;
import picocli.CommandLine.Option;

/**
 * The address of a broker, and the login.
 *
 * @param url of an acceptor for Artemis clients
 * @param user the user of the login, or null
 * @param password of the user; null without a user
 */
public record BrokerAccess(
        String url, @Nullable String user, @Nullable String password) {
    static final int PATIENCE_MILLIS = 10_000;

    private static final String VARIABLE = "SIGNET_BROKER_PASSWORD";

    /** A host with an underscore in its name. Such hosts exist, and {@link URI} does not accept them. */
    private static final Pattern ODD_HOST = Pattern.compile("^tcp://([A-Za-z0-9.-]*_[A-Za-z0-9._-]*)(?=:)");

    private static final String STAND_IN = "tcp://stand-in";

    /** The options for the login. The password never comes from an option's value. */
    public static final class Login {
        @Option(names = "--user", paramLabel = "U", description = "Whom to log in as at the broker; default nobody.")
        private @Nullable String user;

        @Option(
                names = "--broker-password-file",
                paramLabel = "FILE",
                description = "The first line is the password of --user; else $SIGNET_BROKER_PASSWORD, else a prompt.")
        private @Nullable Path file;

        /** Returns the access to a broker, and rejects a URL that is not a broker's. */
        public BrokerAccess to(String url, CommandContext context) throws IOException {
            requireBroker(url);
            return new BrokerAccess(url, user, user == null ? null : password(user, context));
        }

        private String password(String login, CommandContext context) throws IOException {
            if (file != null) {
                Path named = context.resolve(file);
                PermissionCheck.forOwnerOf(named).secret(named).requireNoFinding();
                return Files.readString(named).lines().findFirst().orElse("");
            }
            String variable = context.environment(VARIABLE);
            if (!variable.isEmpty()) {
                return variable;
            }
            Shell.Terminal terminal = context.shell().streams().terminal();
            char[] typed = terminal == null ? null : terminal.askPassword("Password of " + login + " at the broker: ");
            if (typed == null) {
                throw CliException.configuration("broker password: none given and no terminal to ask at; use "
                        + "--broker-password-file FILE or " + VARIABLE);
            }
            return new String(typed);
        }
    }

    private static void requireBroker(String url) {
        try {
            URI parsed = new URI(ODD_HOST.matcher(url).replaceFirst(STAND_IN));
            if ("tcp".equals(parsed.getScheme()) && parsed.getHost() != null && parsed.getPort() > 0) {
                return;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw CliException.usage("broker URL: not like tcp://HOST:PORT: " + url);
    }

    /** Returns a factory that logs in, and gives up after ten seconds without an answer. The caller closes it. */
    public ActiveMQConnectionFactory factory() {
        ActiveMQConnectionFactory factory =
                new ActiveMQConnectionFactory(ODD_HOST.matcher(url).replaceFirst(STAND_IN));
        Matcher odd = ODD_HOST.matcher(url);
        if (odd.find()) {
            for (TransportConfiguration connector : factory.getStaticConnectors()) {
                connector.getParams().put(TransportConstants.HOST_PROP_NAME, odd.group(1));
            }
        }
        factory.setUser(user);
        factory.setPassword(password);
        factory.setCallTimeout(PATIENCE_MILLIS);
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
            ClientSession session = connection.createSession(user, password, false, true, true, false, 0);
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
