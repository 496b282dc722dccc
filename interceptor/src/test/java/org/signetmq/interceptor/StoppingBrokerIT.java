/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.Session;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.testkit.RecordingLogs;

/** A broker's notes on itself pass while it stops, though the plugin has stopped before. */
final class StoppingBrokerIT extends OneBroker {
    @BeforeEach
    void protectAll() throws Exception {
        homes.policies(1, TestHomes.privacy("#"));
    }

    /** The broker gives a late notification a number after it has stopped its counter. */
    private static final String LATE = "IDGenerator has been stopped";

    @Test
    void notificationsOfAStop_areNeitherRejectedNorCounted() throws Exception {
        TestBroker broker = start();
        try (JMSContext subscriber = Producers.core(broker).createContext();
                Connection connection = Producers.core(broker).createConnection();
                Session session = connection.createSession()) {
            subscriber.createConsumer(subscriber.createTopic("activemq.notifications"));
            var unused = session.createConsumer(session.createQueue("orders"));
            Producers.CORE.send(broker, "orders", "hello");

            broker.server().stop();

            assertThat(RecordingLogs.linesOfBroker())
                    .filteredOn(line -> line.contains("Failed to send notification"))
                    .allMatch(line -> line.contains(LATE)); // a broker without the plugin logs this too
            assertThat(broker.rejected()).isZero();
        }
    }

    @Test
    void notificationsAfterThePluginStopped_reachTheirSubscribers() throws Exception {
        TestBroker broker = start();
        broker.reader().subscription("notes", "activemq.notifications");
        StopCallback.run(broker);

        try (Connection connection = Producers.core(broker).createConnection();
                Session session = connection.createSession()) {
            var unused = session.createConsumer(session.createQueue("late"));
        }

        assertThat(broker.next("notes")).isNotNull();
        assertThat(broker.rejected()).isZero();
    }
}
