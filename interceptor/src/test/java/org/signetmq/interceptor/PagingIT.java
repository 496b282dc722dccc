/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.testkit.Cases;

/** Messages that do not fit into the broker's memory. */
final class PagingIT extends WayIn {
    private static final int MESSAGES = 60;

    @Override
    void configure(Configuration configuration) {
        configuration.addAddressSetting(
                "safe.#",
                new AddressSettings()
                        .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
                        .setMaxSizeBytes(20_000)
                        .setPageSizeBytes(10_000));
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void pagedMessages_areSealedInTheirPages_alsoAfterARestart(JmsClient client) throws Exception {
        String address = safeQueue();
        try (Connection connection = client.factory(broker).createConnection();
                Session session = connection.createSession();
                var producer = Letter.dress(session.createProducer(session.createQueue(address)))) {
            for (int i = 0; i < MESSAGES; i++) {
                producer.send(Letter.write(session, Letter.text("page " + i)));
            }
        }
        assertThat(broker.server()
                        .getPagingManager()
                        .getPageStore(SimpleString.of(address))
                        .isPaging())
                .isTrue();
        assertThat(pages()).isNotEmpty();
        assertThat(sealed()).isEqualTo(MESSAGES);
        assertNothingInClear();

        restart();

        try (Connection connection = client.factory(broker).createConnection();
                Session session = connection.createSession();
                var consumer = session.createConsumer(session.createQueue(address))) {
            connection.start();
            for (int i = 0; i < MESSAGES; i++) {
                Message stored = consumer.receive(180_000);
                assertThat(open(stored, address)).isEqualTo(Letter.text("page " + i));
                Letter.assertDressed(stored, 1);
            }
        }
        assertThat(sealed()).isZero();
    }

    private List<Path> pages() throws Exception {
        try (Stream<Path> files = Files.walk(broker.data.resolve("paging"))) {
            return files.filter(file -> file.toString().endsWith(".page")).toList();
        }
    }
}
