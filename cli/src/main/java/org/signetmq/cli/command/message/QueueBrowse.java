/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.message.BrowsedMessage.BrowsedPayload;
import org.signetmq.cli.connection.BrokerAccess;
import org.signetmq.cli.connection.LoginOptions;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.KeyStoreOptions;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.client.MessageOpenException;
import org.signetmq.client.MessageOpenRuntimeException;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.Identity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet queue browse}. */
@Command(
        name = "browse",
        description =
                "Opens and prints the messages on a queue, and leaves them there. Of one that cannot be opened it "
                        + "says why.",
        footer = {
            "  signet queue browse orders.eu --broker tcp://localhost:61616 --user admin --as alice",
            "  signet queue browse news::archive --broker tcp://localhost:61616 --as alice --limit 5 --json",
            "  signet queue browse DLQ --dead-letters --broker tcp://localhost:61616 --as alice",
        })
public final class QueueBrowse extends ReportingCommand {
    private static final String SEPARATOR = "::";
    private static final int MOST_PAYLOAD = 64 << 20;

    @Parameters(paramLabel = "QUEUE", description = "A queue, also as ADDRESS::QUEUE.")
    private String queue = "";

    @Option(
            names = "--broker",
            paramLabel = "URL",
            description = "An acceptor of the broker, such as tcp://localhost:61616; default $SIGNET_BROKER.")
    private @Nullable String url;

    @Mixin
    private final LoginOptions login = new LoginOptions();

    @Option(names = "--as", required = true, paramLabel = "NAME", description = "The identity whose keys open them.")
    private String name = "";

    @Option(
            names = "--dead-letters",
            description = "The queue holds dead letters or expired messages: open them for the address that the broker "
                    + "noted as the original one.")
    private boolean deadLetters;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "How many messages at most, from the first; default 100.")
    private int limit = 100;

    @Option(
            names = "--max-payload",
            paramLabel = "BYTES",
            description = "How many bytes or characters of a payload to show at most; default 4096.")
    private int mostPayload = 4096;

    @Mixin
    private final KeyStoreOptions keys = new KeyStoreOptions();

    private record Answer(String queue, boolean more, List<BrowsedMessage> messages) {}

    @Override
    public Integer call() throws IOException {
        if (limit < 1 || mostPayload < 0 || mostPayload > MOST_PAYLOAD) {
            throw CliException.usage("--limit: must be 1 or more, and --max-payload from 0 to " + MOST_PAYLOAD);
        }
        BrokerAccess broker = login.to(url, context);
        List<Identity> readers = keys.loadAll(context, name);
        try (ActiveMQConnectionFactory artemis = broker.factory();
                SignetConnectionFactory opening = SignetConnectionFactory.open(
                        artemis, context.existingHome().root(), readers)) {
            BrowsedPayload.rejectSerializedObjects(artemis);
            String bare = queue.replaceFirst(".*?" + SEPARATOR, "");
            String address = address(bare, broker);
            browse(broker, deadLetters ? openingDeadLetters(opening, address) : opening, address + SEPARATOR + bare);
        }
        return ExitCode.OK;
    }

    /** Asks the broker for the address of a queue. A browser of a queue that is not there would create it. */
    private String address(String bare, BrokerAccess broker) {
        String address = broker.addressOf(bare)
                .orElseThrow(() -> CliException.failure("queue '" + bare + "': not on " + broker.name()));
        if (queue.contains(SEPARATOR) && !queue.equals(address + SEPARATOR + bare)) {
            throw CliException.failure("queue '" + bare + "': belongs to address '" + address + "'");
        }
        return address;
    }

    private static SignetConnectionFactory openingDeadLetters(SignetConnectionFactory factory, String address) {
        try {
            return factory.withDeadLettersOn(List.of(address));
        } catch (IllegalArgumentException e) {
            throw CliException.usage("--dead-letters: not for the address '" + address + "'");
        }
    }

    private void browse(BrokerAccess broker, SignetConnectionFactory factory, String qualified) {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            print(broker, session, session.createQueue(qualified));
        } catch (JMSException e) {
            throw broker.failure(e);
        }
    }

    /** Prints messages one by one, or all at the end as JSON. */
    private void print(BrokerAccess broker, Session session, Queue browsed) throws JMSException {
        List<BrowsedMessage> shown = new ArrayList<>();
        int number = 0;
        boolean moved = false;
        boolean more;
        try (QueueBrowser browser = session.createBrowser(browsed)) {
            Enumeration<?> messages = browser.getEnumeration();
            while (number < limit && messages.hasMoreElements()) {
                number++;
                BrowsedMessage message = next(messages);
                moved |= message.isSealedForAnotherAddress();
                if (json) {
                    shown.add(message);
                } else {
                    message.lines(number).forEach(context::print);
                }
            }
            more = messages.hasMoreElements();
            if (!more) { // asked before the browser closes, which fails without a connection
                requireConnection(broker, session, browsed);
            }
        }
        report(new Answer(queue, more, shown), List::of);
        if (!json) {
            String messages = number + (number == 1 ? " message" : " messages");
            context.say(number == 0 ? "no messages" : messages + (more ? " shown; there are more" : ""));
        }
        if (moved && !deadLetters) {
            context.say("hint: dead letters and expired messages open with --dead-letters");
        }
    }

    private BrowsedMessage next(Enumeration<?> messages) throws JMSException {
        try {
            return BrowsedMessage.opened((Message) messages.nextElement(), mostPayload);
        } catch (MessageOpenRuntimeException e) {
            return BrowsedMessage.closed(
                    Failures.find(MessageOpenException.class, e).orElseThrow(() -> e));
        } catch (NoSuchElementException e) { // the client logs the reason, and tells it nowhere else
            throw CliException.failure("queue '" + queue + "': a message could not be read to its end")
                    .causedBy(e);
        }
    }

    /** A browser has no more messages, too, when the broker is gone. A new one asks the broker. */
    private static void requireConnection(BrokerAccess broker, Session session, Queue browsed) {
        try {
            session.createBrowser(browsed).close();
        } catch (JMSException e) {
            throw CliException.unreachable(broker.name() + ": connection lost, there may be more messages")
                    .causedBy(e);
        }
    }
}
