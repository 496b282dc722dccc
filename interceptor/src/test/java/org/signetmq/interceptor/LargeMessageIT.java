/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.jms.JMSException;
import java.nio.file.Path;
import java.util.List;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.Policy;

final class LargeMessageIT {
    private static final String MARK = "a large message's secret words";
    private static final String LARGE = (MARK + ", over and over; ").repeat(30_000);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Producers.class)
    void largeMessage_onAProtectedAddress_isRefusedAndLeavesNoFile(Producers producer) throws Exception {
        try (TestBroker broker = broker();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            Throwable noticed = catchThrowable(() -> producer.send(broker, "orders", LARGE));

            assertThat(noticed != null || producer == Producers.MQTT_5).isTrue();
            assertLeavesNothing(broker, reader);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void largeRetainedMessage_isRefusedAndLeavesNoFile(int version) throws Exception {
        try (TestBroker broker = broker();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            var unused = catchThrowable(() -> {
                if (version == 3) {
                    var message = new org.eclipse.paho.client.mqttv3.MqttMessage(Producers.utf8(LARGE));
                    message.setRetained(true);
                    Producers.mqtt3(broker, "orders", message);
                } else {
                    var message = new org.eclipse.paho.mqttv5.common.MqttMessage(Producers.utf8(LARGE));
                    message.setRetained(true);
                    Producers.mqtt5(broker, "orders", message);
                }
            });

            assertLeavesNothing(broker, reader);
        }
    }

    @Test
    void largeMessage_onAnOpenAddressDivertedIntoAProtectedOne_isRefusedAndLeavesNoFile() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .with(configuration -> configuration.addDivertConfiguration(SafetyNetIT.divert("open", "orders")));
        setup.homes().policies(1, Policy.privacy("orders", List.of(TestHomes.CONSUMER)));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders").queue("open")) {

            assertThatThrownBy(() -> Producers.CORE.send(broker, "open", LARGE)).isInstanceOf(JMSException.class);

            assertThat(reader.poll("open")).isNull();
            assertLeavesNothing(broker, reader);
        }
    }

    @Test
    void refusal_saysWhatIsWrong() throws Exception {
        try (TestBroker broker = broker();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            assertThatThrownBy(() -> Producers.AMQP.send(broker, "orders", LARGE))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("large messages are not protected yet");

            assertLeavesNothing(broker, reader);
        }
    }

    /** In clear it is just within the largest record of the journal, sealed it would not be. */
    @Test
    void messageThatGrowsBeyondTheJournalsRecord_isRefusedBeforeItIsSealed() throws Exception {
        CountingProtector counting = CountingProtector.working();
        TestBroker.Setup setup = new TestBroker.Setup(folder).plugin(new SignetPlugin(counting));
        setup.homes().policies(1, Policy.privacy("orders", List.of(TestHomes.CONSUMER)));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            int largest = (int) broker.server().getStorageManager().getMaxRecordSize();
            var factory = new ActiveMQConnectionFactory(broker.uri() + "?minLargeMessageSize=10000000");
            byte[] body = new byte[largest - 1000];

            assertThatThrownBy(() -> Producers.jms(factory, "orders", session -> {
                        var message = session.createBytesMessage();
                        message.writeBytes(body);
                        return message;
                    }))
                    .hasMessageContaining("too large to be protected");

            assertThat(reader.poll("orders")).isNull();
            assertThat(broker.plugin.state().sealed()).isZero();
        }
    }

    /** The largest that is let through is stored and read. */
    @Test
    void messageThatJustFits_isSealedAndStored() throws Exception {
        try (TestBroker broker = broker();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            int largest = (int) broker.server().getStorageManager().getMaxRecordSize();
            var factory = new ActiveMQConnectionFactory(broker.uri() + "?minLargeMessageSize=10000000");
            int[] accepted = {0};
            for (int less = 1000; less < 6000; less += 100) {
                byte[] body = new byte[largest - less];
                Throwable refusal = catchThrowable(() -> Producers.jms(factory, "orders", session -> {
                    var message = session.createBytesMessage();
                    message.writeBytes(body);
                    return message;
                }));
                if (refusal == null) {
                    accepted[0] = body.length;
                    break;
                }
            }

            assertThat(accepted[0]).isPositive();
            assertThat(reader.nextBody("orders").length).isGreaterThan(accepted[0]);
        }
    }

    private TestBroker broker() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().policies(1, Policy.privacy("orders", List.of(TestHomes.CONSUMER)));
        return setup.start();
    }

    private static void assertLeavesNothing(TestBroker broker, QueueReader reader) throws Exception {
        assertThat(reader.poll("orders")).isNull();
        assertThat(broker.plugin.state().rejected()).isPositive();
        // files are deleted by the broker's own threads
        Awaitility.await()
                .untilAsserted(() -> assertThat(broker.disk().largeFiles()).isEmpty());
        assertThat(broker.disk().filesWith(MARK)).isEmpty();
    }
}
