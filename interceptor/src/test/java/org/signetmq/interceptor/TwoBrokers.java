/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.postoffice.QueueBinding;
import org.apache.activemq.artemis.core.server.Queue;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;

/** A broker that is connected to another one, with the same keys and policies. */
abstract class TwoBrokers extends WayIn {
    static final String CONNECTOR = "other";

    private @Nullable TestBroker other;

    @Override
    void prepare(Path folder) throws Exception {
        TestBroker.Setup there = new TestBroker.Setup(setup.homes(), folder.resolve("other-data"));
        other = there.with(configuration -> configureOther(configuration, there.uri()))
                .start();
    }

    /** Adds the further settings of the other broker, which is reached at this URI. */
    void configureOther(Configuration configuration, String uri) throws Exception {}

    /** The other broker. */
    TestBroker other() {
        return Objects.requireNonNull(other);
    }

    @AfterEach
    void assertNothingInClearThere() throws Exception {
        assertThat(other().disk().filesWith(Letter.MARK)).isEmpty();
    }

    @AfterAll
    void stopOther() {
        other().close();
    }

    /** The message was sealed by one of the brokers, once. */
    void assertSealedByOneBroker(long sealedBefore) {
        assertThat(sealedByBoth() - sealedBefore).isEqualTo(1);
    }

    long sealedByBoth() {
        return broker.sealed() + other().sealed();
    }

    void awaitThere(String queue, int messages) {
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(there(queue)).as(this::whereMessagesAre).isEqualTo(messages));
    }

    /** How many messages are on a queue of the other broker; -1 if there is no such queue. */
    private long there(String queue) {
        Queue found = other().server().locateQueue(queue);
        return found == null ? -1 : found.getMessageCount();
    }

    /** All queues with a message, or that had one: where to look when one does not arrive. */
    private String whereMessagesAre() {
        return "here " + queuesOf(broker) + ", there " + queuesOf(other());
    }

    private static String queuesOf(TestBroker broker) {
        String queues = broker.server()
                .getPostOffice()
                .getAllBindings()
                .filter(QueueBinding.class::isInstance)
                .map(binding -> ((QueueBinding) binding).getQueue())
                .filter(queue -> queue.getMessagesAdded() > 0)
                .map(queue -> queue.getName() + ": " + queue.getMessageCount() + " of " + queue.getMessagesAdded())
                .collect(Collectors.joining(", "));
        return queues + "; sealed " + broker.sealed() + ", rejected " + broker.rejected();
    }
}
