/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class FetchTest {
    private static final int NO_MATTER = Integer.MAX_VALUE;

    @ParameterizedTest
    @CsvSource({"100,100,false", "101,100,true", "5000,100,true", "5000,2147483647,false", "0,0,false"})
    void messageThatDoesNotFit_isGivenBackAndFetchedAgain(int size, int buffer, boolean isFetchedTwice)
            throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Session session = broker.session(Fetch.sessionMode(buffer));
            Queue queue = session.createQueue("queue");
            send(session, queue, size);

            BytesMessage fetched = fetched(Fetch.from(session, queue, buffer));

            assertThat(fetched.getBodyLength()).isEqualTo(size);
            assertThat(fetched.getJMSRedelivered()).isEqualTo(isFetchedTwice);
            session.close();
            assertThat(Fetch.from(broker.session(), queue, NO_MATTER).next(100))
                    .as("it is acknowledged")
                    .isNull();
        }
    }

    @Test
    void severalMessages_comeOnceEach_andInTheirOrder() throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Session session = broker.session(Fetch.sessionMode(100));
            Queue queue = session.createQueue("queue");
            int[] sizes = {50, 200, 60, 300, 400, 70};
            for (int size : sizes) {
                send(session, queue, size);
            }
            Fetch fetch = Fetch.from(session, queue, 100);

            for (int size : sizes) {
                assertThat(fetched(fetch).getBodyLength()).isEqualTo(size);
            }
            assertThat(fetch.next(100)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, NO_MATTER})
    void sessionClosedBeforeTheFetch_givesNoMessage(int buffer) throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Session session = broker.session(Fetch.sessionMode(buffer));
            Fetch fetch = Fetch.from(session, session.createQueue("queue"), buffer);

            session.close();

            assertThat(fetch.next(100)).isNull();
        }
    }

    private static BytesMessage fetched(Fetch fetch) throws Exception {
        return (BytesMessage) Objects.requireNonNull(fetch.next(10_000), "no message in time");
    }

    private static void send(Session session, Queue queue, int size) throws Exception {
        try (MessageProducer producer = session.createProducer(queue)) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[size]);
            producer.send(message);
        }
    }
}
