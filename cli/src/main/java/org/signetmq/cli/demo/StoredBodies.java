/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/** The bodies of messages as a consumer without Signet gets them. */
final class StoredBodies {
    private static final int PATIENCE_MILLIS = 5_000;

    private StoredBodies() {}

    /**
     * Returns by how many bytes a stored body is longer than its payload, on average. The messages stay in the queue.
     */
    static double bytesAdded(Lane lane, List<String> payloads, DemoBroker broker) throws Exception {
        try (ServerLocator locator = ActiveMQClient.createServerLocator(broker.url());
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session =
                        factory.createSession(DemoBroker.CONSUMER, broker.password(), false, true, true, false, 0);
                ClientConsumer browser = session.createConsumer(SimpleString.of(lane.address()), true)) {
            session.start();
            long stored = 0;
            for (int i = 0; i < payloads.size(); i++) {
                ClientMessage message = browser.receive(PATIENCE_MILLIS);
                stored += message == null ? 0 : bodyLength(message);
            }
            long sent = payloads.stream()
                    .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
                    .sum();
            return (double) (stored - sent) / payloads.size();
        }
    }

    private static int bodyLength(ClientMessage message) {
        if (message.getType() == Message.TEXT_TYPE) {
            SimpleString text = message.getBodyBuffer().readNullableSimpleString();
            return text == null ? 0 : text.toString().getBytes(StandardCharsets.UTF_8).length;
        }
        return message.getBodySize();
    }
}
