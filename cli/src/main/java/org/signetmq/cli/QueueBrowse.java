/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.client.MessageOpenException;
import org.signetmq.client.MessageOpenRuntimeException;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.Password;
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
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet queue browse orders.eu --broker tcp://localhost:61616 --user admin --as alice",
            "  signet queue browse news::archive --broker tcp://localhost:61616 --as alice --limit 5 --json",
            "  signet queue browse DLQ --dead-letters --broker tcp://localhost:61616 --as alice",
        })
final class QueueBrowse implements Callable<Integer> {
    private static final String SEPARATOR = "::";
    private static final int MOST_PAYLOAD = 64 << 20;

    private final Session session;

    @Parameters(paramLabel = "QUEUE", description = "A queue, also as ADDRESS::QUEUE.")
    private String queue = "";

    @Option(
            names = "--broker",
            required = true,
            paramLabel = "URL",
            description = "An acceptor of the broker, such as tcp://localhost:61616.")
    private String url = "";

    @Mixin
    private final BrokerLogin login = new BrokerLogin();

    @Option(names = "--as", required = true, paramLabel = "NAME", description = "The identity whose key opens them.")
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
    private final PasswordOptions passwords = new PasswordOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    QueueBrowse(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws IOException {
        if (limit < 1 || mostPayload < 0 || mostPayload > MOST_PAYLOAD) {
            throw CliException.usage("--limit: must be 1 or more, and --max-payload from 0 to " + MOST_PAYLOAD);
        }
        BrokerAccess broker = BrokerAccess.of(url, login, session);
        try (Password password = passwords.existing(session);
                ActiveMQConnectionFactory artemis = broker.factory();
                SignetConnectionFactory opening = SignetConnectionFactory.open(
                        artemis, session.existingHome().root(), name, password)) {
            SerializedObjects.refuse(artemis);
            Place place = place(broker);
            browse(broker, deadLetters ? openingDeadLetters(opening, place) : opening, place);
        }
        return ExitCode.OK;
    }

    /** A queue with its address. */
    private record Place(String address, String queue) {
        String qualified() {
            return address + SEPARATOR + queue;
        }
    }

    /** The queue, of which the broker is asked: a browser of a queue that is not there would make it. */
    private Place place(BrokerAccess access) {
        String bare = queue.substring(queue.contains(SEPARATOR) ? queue.indexOf(SEPARATOR) + 2 : 0);
        try (BrokerManagement broker = new BrokerManagement(access)) {
            String address = broker.addressOfQueue(bare)
                    .orElseThrow(() -> CliException.failure("queue '" + bare + "': not on broker " + url));
            Place place = new Place(address, bare);
            if (queue.contains(SEPARATOR) && !queue.equals(place.qualified())) {
                throw CliException.failure("queue '" + bare + "': belongs to address '" + address + "'");
            }
            return place;
        }
    }

    private static SignetConnectionFactory openingDeadLetters(SignetConnectionFactory factory, Place place) {
        try {
            return factory.withDeadLettersOn(List.of(place.address()));
        } catch (IllegalArgumentException e) {
            throw CliException.usage("--dead-letters: not for the address '" + place.address() + "'");
        }
    }

    private void browse(BrokerAccess broker, SignetConnectionFactory factory, Place place) {
        try (Connection connection = broker.connect(factory);
                jakarta.jms.Session messages = connection.createSession()) {
            connection.start();
            Queue browsed = messages.createQueue(place.qualified());
            try (QueueBrowser browser = messages.createBrowser(browsed)) {
                print(browser.getEnumeration(), () -> requireConnection(broker, messages, browsed));
            }
        } catch (JMSException e) {
            throw broker.failure(e);
        }
    }

    /** A browser has no more messages, too, when the broker is gone. One that is made anew asks the broker. */
    private static void requireConnection(BrokerAccess broker, jakarta.jms.Session messages, Queue browsed) {
        try {
            messages.createBrowser(browsed).close();
        } catch (JMSException e) {
            throw CliException.unreachable("broker " + broker.url() + ": connection lost, there may be more messages")
                    .causedBy(e);
        }
    }

    private void print(Enumeration<?> messages, Runnable atTheEnd) throws JMSException {
        List<BrowsedMessage> shown = new ArrayList<>();
        int number = 0;
        boolean moved = false;
        while (number < limit && messages.hasMoreElements()) {
            number++;
            BrowsedMessage message = next(messages);
            moved |= message.isUnopenedForItsAddress();
            if (json.wanted) {
                shown.add(message);
            } else {
                message.lines(number).forEach(session.out()::println);
            }
        }
        boolean more = messages.hasMoreElements();
        if (!more) {
            atTheEnd.run();
        }
        if (json.wanted) {
            ObjectNode answer = Json.answer().put("queue", queue).put("more", more);
            ArrayNode array = answer.putArray("messages");
            shown.forEach(message -> array.add(message.json()));
            Json.print(answer, session.out());
        } else {
            session.say(
                    number == 0 ? "no messages" : number + (more ? " messages shown; there are more" : " messages"));
        }
        if (moved && !deadLetters) {
            session.say("hint: dead letters and expired messages open with --dead-letters");
        }
    }

    private BrowsedMessage next(Enumeration<?> messages) throws JMSException {
        try {
            return BrowsedMessage.opened((jakarta.jms.Message) messages.nextElement(), mostPayload);
        } catch (MessageOpenRuntimeException e) {
            if (e.getCause() instanceof MessageOpenException closed) {
                return BrowsedMessage.closed(closed);
            }
            throw e;
        } catch (NoSuchElementException e) { // the client has said why in its log, and there alone
            throw CliException.failure("queue '" + queue + "': a message could not be read to its end")
                    .causedBy(e);
        }
    }
}
