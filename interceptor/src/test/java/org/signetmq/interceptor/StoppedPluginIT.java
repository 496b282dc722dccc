/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;

/** A broker that has begun to stop: the plugin is closed, and connections are not yet. */
final class StoppedPluginIT extends OneBroker {
    @BeforeEach
    void protectOrders() throws Exception {
        setup.homes().policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void largeMessageOfANewClient_isRejected_andNothingOfItIsWritten(Producers producer) throws Exception {
        TestBroker broker = start("orders");
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        StopCallback.run(broker);

        sendIgnoringTheAnswer(producer, broker);

        assertThat(watch.seen()).isEmpty();
        assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        Awaitility.await() // the broker deletes files on a thread of its own
                .untilAsserted(() -> assertThat(broker.disk().largeFiles()).isEmpty());
        assertThat(broker.poll("orders")).isNull();
    }

    /** An MQTT 5 client does not throw the reason that it gets. */
    private static void sendIgnoringTheAnswer(Producers producer, TestBroker broker) {
        try {
            producer.send(broker, "orders", LargeBodies.TEXT);
        } catch (Exception rejected) {
            assertThat(rejected).hasMessageNotContaining(LargeBodies.MARK);
        }
    }

    @ParameterizedTest
    @Cases({"CORE", "AMQP"})
    void largeMessageOfASessionThatWasThereBefore_isRejected_andNothingOfItIsWritten(JmsClient client)
            throws Exception {
        TestBroker broker = start("orders");
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        Connection connection = closing(client.factory(broker).createConnection());
        Session session = closing(connection.createSession());
        MessageProducer producer = closing(session.createProducer(session.createQueue("orders")));
        producer.send(session.createTextMessage("before"));
        StopCallback.run(broker);

        assertThatThrownBy(() -> producer.send(session.createTextMessage(LargeBodies.TEXT)))
                .isInstanceOf(JMSException.class);

        assertThat(watch.seen()).isEmpty();
        assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        assertThat(broker.nextBody("orders")).isNotEmpty();
        assertThat(broker.poll("orders")).isNull();
    }

    /** How a plugin ends while the broker runs. */
    enum Ending {
        STOPPED {
            @Override
            void come(TestBroker broker) throws Exception {
                StopCallback.run(broker);
            }
        },
        TAKEN_OUT_OF_THE_BROKER {
            @Override
            void come(TestBroker broker) {
                broker.server().unRegisterBrokerPlugin(broker.plugin);
            }
        };

        abstract void come(TestBroker broker) throws Exception;
    }

    @ParameterizedTest
    @EnumSource(Ending.class)
    void largeMessageThatWasOnItsWay_isRejected_andItsRestIsNotWritten(Ending ending) throws Exception {
        TestBroker broker = start("orders");
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));

        assertThatThrownBy(() -> Producers.jms(Producers.core(broker), "orders", session -> {
                    BytesMessage message = session.createBytesMessage();
                    message.setObjectProperty("JMS_AMQ_InputStream", interrupted(broker, ending));
                    return message;
                }))
                .isInstanceOf(JMSException.class);

        assertThat(watch.seen()).isEmpty();
        assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        assertThat(broker.poll("orders")).isNull();
    }

    private static InterruptedStream interrupted(TestBroker broker, Ending ending) {
        return new InterruptedStream(Producers.utf8(LargeBodies.TEXT), () -> {
            try {
                ending.come(broker);
            } catch (Exception e) {
                throw new IOException(e);
            }
        });
    }
}
