/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.impl.RoutingContextImpl;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.core.transaction.impl.TransactionImpl;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.message.impl.MessageImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.interceptor.OneBroker;
import org.signetmq.interceptor.Producers;
import org.signetmq.interceptor.StopCallback;
import org.signetmq.interceptor.TestBroker;
import org.signetmq.interceptor.TestHomes;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.testkit.Tier;

/**
 * The entrances of the broker are taken away one by one. Messages that then reach the storage are not stored in clear.
 */
final class LastGateIT extends OneBroker {
    private static final String MARK = "words that no entrance judged";
    private static final String TEXT = (MARK + "; ").repeat(8);

    @BeforeEach
    void protectOrders() throws Exception {
        setup.homes().policies(1, TestHomes.privacy("orders"));
    }

    /** A message as the broker has it in memory. */
    enum Kind {
        CORE {
            @Override
            Message message(long id) {
                CoreMessage message = new CoreMessage(id, 512);
                message.setType(Message.BYTES_TYPE);
                message.getBodyBuffer().writeBytes(Producers.utf8(TEXT));
                return message;
            }
        },
        AMQP {
            @Override
            Message message(long id) {
                MessageImpl proton = new MessageImpl();
                proton.setBody(new Data(new Binary(Producers.utf8(TEXT))));
                byte[] encoded = new byte[1024];
                int length = proton.encode(encoded, 0, encoded.length);
                byte[] whole = Arrays.copyOf(encoded, length);
                AMQPStandardMessage message = new AMQPStandardMessage(0, whole, null);
                message.setMessageID(id);
                return message;
            }
        };

        abstract Message message(long id);
    }

    /** A road to the storage. */
    enum Road {
        ROUTE((server, queue, message) -> server.getPostOffice().route(message, false)),
        ROUTE_TO_A_BINDING((server, queue, message) -> server.getPostOffice()
                .route(
                        message,
                        new RoutingContextImpl(null),
                        false,
                        false,
                        server.getPostOffice().getBinding(queue.getName()))),
        PROCESS_ROUTE((server, queue, message) -> {
            RoutingContextImpl context = new RoutingContextImpl(null);
            queue.route(message, context);
            server.getPostOffice().processRoute(message, context, false);
        }),
        PROCESS_ROUTE_IN_A_TRANSACTION((server, queue, message) -> {
            Transaction transaction = new TransactionImpl(server.getStorageManager());
            RoutingContextImpl context = new RoutingContextImpl(transaction);
            queue.route(message, context);
            server.getPostOffice().processRoute(message, context, false);
            transaction.commit();
        }),
        STORE((server, queue, message) -> server.getStorageManager().storeMessage(message)),
        STORE_IN_A_TRANSACTION((server, queue, message) -> {
            long id = server.getStorageManager().generateID();
            server.getStorageManager().storeMessageTransactional(id, message);
            server.getStorageManager().commit(id);
        }),
        STORE_OF_THE_POST_OFFICE(
                (server, queue, message) -> BrokerField.of(server.getPostOffice(), StorageManager.class)
                        .get()
                        .storeMessage(message));

        @FunctionalInterface
        private interface Taking {
            void take(ActiveMQServer server, Queue queue, Message message) throws Exception;
        }

        @SuppressWarnings("ImmutableEnumChecker") // the roads have no state
        private final Taking taking;

        Road(Taking taking) {
            this.taking = taking;
        }

        void take(ActiveMQServer server, Queue queue, Message message) throws Exception {
            taking.take(server, queue, message);
        }

        boolean canSeal() {
            return name().contains("ROUTE");
        }
    }

    static Stream<Arguments> someRoads() {
        return Tier.isLong() ? roads() : roads().limit(Road.values().length);
    }

    static Stream<Arguments> roads() {
        return Stream.of(Kind.values()).flatMap(kind -> Stream.of(Road.values()).map(road -> Arguments.of(kind, road)));
    }

    @ParameterizedTest
    @MethodSource("roads")
    void clearMessage_isSealedOrRejected(Kind kind, Road road) throws Exception {
        TestBroker broker = start("orders");
        Message message = message(broker, kind, "orders");

        if (road.canSeal()) {
            road.take(broker.server(), queue(broker), message);
            broker.assertNext("orders", TEXT);
        } else {
            assertThatThrownBy(() -> road.take(broker.server(), queue(broker), message))
                    .isInstanceOf(ActiveMQException.class)
                    .hasMessageContaining("in clear");
        }

        assertThat(broker.disk().filesWith(MARK)).isEmpty();
        boolean wasAsked = road == Road.ROUTE || road == Road.ROUTE_TO_A_BINDING;
        assertThat(broker.state().counts().unjudged()).isEqualTo(wasAsked ? 0 : 1);
    }

    /** As rerouting messages does: the operation changes the address and asks no plugin. */
    @ParameterizedTest
    @MethodSource("someRoads")
    void messageThatPassedElsewhere_isSealedOrRejected(Kind kind, Road road) throws Exception {
        TestBroker broker = start("orders");
        Message message = message(broker, kind, "orders");
        MessageSealer.markExempt(message, "elsewhere");

        if (road.canSeal()) {
            road.take(broker.server(), queue(broker), message);
            broker.assertNext("orders", TEXT);
        } else {
            assertThatThrownBy(() -> road.take(broker.server(), queue(broker), message))
                    .isInstanceOf(ActiveMQException.class);
        }

        assertThat(broker.disk().filesWith(MARK)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void clearMessage_isSealedBeforeItIsPaged(Kind kind) throws Exception {
        setup.with(configuration -> configuration.addAddressSetting(
                "orders",
                new AddressSettings()
                        .setMaxSizeMessages(1)
                        .setPageSizeBytes(10_000)
                        .setAutoCreateQueues(true)));
        TestBroker broker = start("orders");
        for (int i = 0; i < 5; i++) {
            Road.PROCESS_ROUTE.take(broker.server(), queue(broker), message(broker, kind, "orders"));
        }

        assertThat(queue(broker).getPagingStore().isPaging()).isTrue();
        for (int i = 0; i < 5; i++) {
            broker.assertNext("orders", TEXT);
        }
        assertThat(broker.disk().filesWith(MARK)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("someRoads")
    void messageToAnAddressWithoutPolicy_isStoredAsItIs(Kind kind, Road road) throws Exception {
        TestBroker broker = start("open");
        Message message = message(broker, kind, "open");

        road.take(broker.server(), broker.queue("open"), message);

        await().untilAsserted(() -> assertThat(broker.disk().filesWith(MARK)).isNotEmpty());
        assertThat(broker.state().counts().unjudged()).isZero();
        assertThat(broker.reader()).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("someRoads")
    void stoppedPlugin_rejects(Kind kind, Road road) throws Exception {
        TestBroker broker = start("orders");
        StopCallback.run(broker);
        Message message = message(broker, kind, "orders");

        assertThatThrownBy(() -> road.take(broker.server(), queue(broker), message))
                .isInstanceOf(ActiveMQException.class);

        assertThat(broker.poll("orders")).isNull();
        assertThat(broker.disk().filesWith(MARK)).isEmpty();
    }

    @Test
    void pluginTakenOut_leavesTheBrokerAsItWas() throws Exception {
        TestBroker broker = start("orders");
        broker.server().unRegisterBrokerPlugin(broker.plugin);

        Road.PROCESS_ROUTE.take(broker.server(), queue(broker), message(broker, Kind.CORE, "orders"));

        assertThat(new String(broker.nextBody("orders"), StandardCharsets.UTF_8))
                .isEqualTo(TEXT);
    }

    private static Queue queue(TestBroker broker) {
        return broker.queue("orders");
    }

    private static Message message(TestBroker broker, Kind kind, String address) {
        Message message = kind.message(broker.server().getStorageManager().generateID());
        message.setAddress(SimpleString.of(address));
        message.setDurable(true);
        return message;
    }
}
