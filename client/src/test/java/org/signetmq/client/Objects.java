/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.ConnectionFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.List;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.policy.JmsDefaultDeserializationPolicy;

/** Serialised objects, and factories that trust or distrust their class. */
public final class Objects {
    private Objects() {}

    /** An application's class. */
    public record Order(String item, int count) implements Serializable {}

    public static byte[] serialized(Serializable object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
            stream.writeObject(object);
        }
        return bytes.toByteArray();
    }

    public static ConnectionFactory trusting(TestBroker broker, TestBroker.Client client) {
        if (client == TestBroker.Client.OPENWIRE) {
            var factory = broker.openWire();
            factory.setTrustedPackages(List.of("org.signetmq"));
            return factory;
        }
        return broker.factory(client);
    }

    static ConnectionFactory distrusting(TestBroker broker, TestBroker.Client client) {
        if (client == TestBroker.Client.AMQP) {
            JmsDefaultDeserializationPolicy policy = new JmsDefaultDeserializationPolicy();
            policy.setDenyList("org.signetmq");
            JmsConnectionFactory factory = broker.amqp();
            factory.setDeserializationPolicy(policy);
            return factory;
        }
        if (client == TestBroker.Client.OPENWIRE) {
            return broker.openWire(); // trusts nothing that it is not told to
        }
        ActiveMQConnectionFactory factory = broker.core();
        factory.setDeserializationDenyList("org.signetmq");
        return factory;
    }
}
