/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.message.BodyKind;

/** Sealed objects are deserialised by the provider, under the limits that the application gave it. */
final class ObjectLimitsIT extends BrokerTest {
    private static final Objects.Order ORDER = new Objects.Order("pump", 3);

    @ParameterizedTest
    @EnumSource(Client.class)
    void sealedObject_ofTrustedClass_isRead(Client client) throws Exception {
        ObjectMessage message = sealedObject(client, Objects.trusting(broker, client));

        assertThat(message.getObject()).isEqualTo(ORDER);
        assertThat(message.getBody(Objects.Order.class)).isEqualTo(ORDER);
        assertThat(message.isBodyAssignableTo(Objects.Order.class)).isTrue();
        assertThat(message.isBodyAssignableTo(String.class)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void sealedObject_ofDeniedClass_isRejectedAsTheProviderRejectsAPlainOne(Client client) throws Exception {
        ConnectionFactory distrusting = Objects.distrusting(broker, client);
        ObjectMessage sealed = sealedObject(client, distrusting);
        String address = address("plain");
        Throwable plainRejection;
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = distrusting.createContext()) {
            producer.context.createProducer().send(producer.context.createQueue(address), ORDER);
            ObjectMessage plain = (ObjectMessage) take(context, address);
            plainRejection = catchThrowable(plain::getObject);
        }

        Throwable rejection = catchThrowable(sealed::getObject);

        assertThat(plainRejection).isNotNull();
        assertThat(rejection).hasSameClassAs(plainRejection).hasMessage(plainRejection.getMessage());
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void sealedNull_isNull(Client client) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client));
                Taking taking = Way.CONTEXT.open(signet(client), address)) {
            producer.send(address, keys.seal(address, BodyKind.JMS_OBJECT, new byte[0], Map.of()));

            Message message = taking.take();

            assertThat(((ObjectMessage) message).getObject()).isNull();
        }
    }

    private ObjectMessage sealedObject(Client client, ConnectionFactory factory) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client));
                Taking taking = Way.CONTEXT.open(SignetConnectionFactory.wrap(factory, keys.opener()), address)) {
            byte[] envelope = keys.seal(address, BodyKind.JMS_OBJECT, Objects.serialized(ORDER), Map.of());
            producer.send(address, envelope);
            return (ObjectMessage) taking.take();
        }
    }
}
