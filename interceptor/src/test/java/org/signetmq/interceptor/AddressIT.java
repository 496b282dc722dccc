/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Interceptor;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.SessionSendMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class AddressIT extends OneBroker {
    private TestBroker broker;

    @BeforeEach
    void protectAll() throws Exception {
        homes.policies(1, TestHomes.privacy("#"));
        broker = start("orders");
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void temporaryQueue_isProtectedByThePatternOfAll(JmsClient client) throws Exception {
        try (JMSContext context = client.factory(broker).createContext()) {
            var queue = context.createTemporaryQueue();

            context.createProducer().send(queue, "for a while");

            byte[] stored = context.createConsumer(queue).receiveBody(byte[].class, 180_000);
            assertThat(homes.text(stored, queue.getQueueName())).isEqualTo("for a while");
        }
    }

    @Test
    void temporaryQueueOfOpenWire_isProtectedByThePatternOfAll() throws Exception {
        OpenWire.inSession(broker, session -> {
            var queue = session.createTemporaryQueue();

            session.createProducer(queue).send(session.createTextMessage("for a while"));

            var message = (javax.jms.BytesMessage) session.createConsumer(queue).receive(180_000);
            byte[] stored = new byte[(int) message.getBodyLength()];
            message.readBytes(stored);
            assertThat(homes.text(stored, queue.getQueueName())).isEqualTo("for a while");
        });
    }

    @Test
    void messageWithoutAddress_goesToTheSessionsDefaultOrNowhere() throws Exception {
        Interceptor withoutAddress = (packet, connection) -> {
            if (packet instanceof SessionSendMessage send && send.getMessage().getBooleanProperty("strip")) {
                send.getMessage().setAddress((SimpleString) null);
            }
            return true;
        };
        try (ServerLocator locator =
                        ActiveMQClient.createServerLocator(broker.uri()).addOutgoingInterceptor(withoutAddress);
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession();
                ClientProducer producer = session.createProducer("orders")) {
            assertThatThrownBy(() -> producer.send(message(session, "nowhere").putBooleanProperty("strip", true)))
                    .isInstanceOf(ActiveMQException.class)
                    .hasMessageContaining("no address");
            producer.send(message(session, "first").putBooleanProperty("strip", false));

            producer.send(message(session, "second").putBooleanProperty("strip", true));
        }

        assertThat(List.of(broker.nextText("orders"), broker.nextText("orders")))
                .containsExactly("first", "second");
    }

    private static ClientMessage message(ClientSession session, String text) {
        ClientMessage message = session.createMessage((byte) 3, true);
        message.getBodyBuffer().writeNullableSimpleString(SimpleString.of(text));
        return message;
    }
}
