/* SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;

/** Sends an order and receives it. */
@QuarkusMain
public class Orders implements QuarkusApplication {
    @Inject
    ConnectionFactory factory;

    @Override
    public int run(String... arguments) throws JMSException {
        try (JMSContext context = factory.createContext()) {
            Queue orders = context.createQueue("orders.quarkus");
            context.createProducer().send(orders, "apples");
            Message order = context.createConsumer(orders).receive(10_000);
            System.out.println("order of " + order.getBody(String.class) + ": "
                    + order.getStringProperty("JMS_Signet_Quality") + ", signed by "
                    + order.getStringProperty("JMS_Signet_Signer"));
        }
        return 0;
    }
}
