/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.spring;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Does what the lines of its input say. */
@Component
class Commands implements ApplicationRunner {
    private static final String REQUESTS = "orders.requests";
    private static final String REPLIES = "orders.replies";

    private final JmsTemplate template;
    private final TransactionTemplate transactions;
    private final Events events;

    Commands(JmsTemplate template, TransactionTemplate transactions, Events events) {
        this.template = template;
        this.transactions = transactions;
        this.events = events;
    }

    @Override
    public void run(ApplicationArguments arguments) throws IOException {
        events.happened("started", null);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", 2);
            try {
                execute(words[0], words[1]);
            } catch (JMSException | RuntimeException e) {
                events.happened(words[0] + "-failed", e.toString());
            }
        }
    }

    private void execute(String command, String text) throws JMSException {
        switch (command) {
            case "ask" -> tell(ask(REQUESTS, text));
            case "ask-acknowledged" -> tell(ask(REQUESTS + ".acknowledged", text));
            case "ask-with-queue" -> tell(askWithQueue(text));
            case "patience" -> template.setReceiveTimeout(Long.parseLong(text));
            case "send" -> template.convertAndSend("orders.sent", text);
            case "commit" -> inTransaction(text, false);
            case "rollback" -> inTransaction(text, true);
            default -> throw new IllegalArgumentException("no such command: " + command);
        }
    }

    /** Asks for the reply on a temporary queue, as templates do. */
    private @Nullable Message ask(String queue, String text) {
        return template.sendAndReceive(queue, session -> session.createTextMessage(text));
    }

    private void tell(@Nullable Message reply) throws JMSException {
        if (reply == null) {
            events.happened("no-reply", null);
        } else {
            events.received("reply", reply);
        }
    }

    /** Asks for the reply on a queue that is not temporary. */
    private @Nullable Message askWithQueue(String text) {
        String correlation = UUID.randomUUID().toString();
        template.send(REQUESTS, session -> {
            Message request = session.createTextMessage(text);
            request.setJMSReplyTo(session.createQueue(REPLIES));
            request.setJMSCorrelationID(correlation);
            return request;
        });
        return template.receiveSelected(REPLIES, "JMSCorrelationID = '" + correlation + "'");
    }

    private void inTransaction(String text, boolean givenUp) {
        transactions.executeWithoutResult(status -> {
            template.convertAndSend("orders.sent", text + " 1");
            template.convertAndSend("orders.sent", text + " 2");
            if (givenUp) {
                status.setRollbackOnly();
            }
        });
        events.happened(givenUp ? "rolled-back" : "committed", text);
    }
}
