/* SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.messaging.handler.annotation.Header;

/** Sends and receives messages. No line of it has to do with Signet, but the names of two properties of messages. */
@SpringBootApplication
public class OrdersApplication {
    private static final String QUALITY = "JMS_Signet_Quality";
    private static final String SIGNER = "JMS_Signet_Signer";

    public static void main(String... arguments) {
        SpringApplication.run(OrdersApplication.class, arguments);
    }

    @JmsListener(destination = "orders.eu", concurrency = "2")
    void order(String text, @Header(QUALITY) String quality, @Header(SIGNER) String signer) {
        System.out.println("order of " + text + ": " + quality + ", signed by " + signer);
    }

    @JmsListener(destination = "orders.prices")
    String price(String article) {
        return article + " cost 2";
    }

    @JmsListener(destination = "payments.eu")
    void payment(String text, @Header(QUALITY) String quality, @Header(SIGNER) String signer) {
        System.out.println("payment for " + text + ": " + quality + ", signed by " + signer);
    }

    @Bean
    ApplicationRunner buyer(JmsTemplate template) {
        return arguments -> {
            template.convertAndSend("orders.eu", "apples");
            template.convertAndSend("payments.eu", "apples");
            Object price = template.sendAndReceive(
                            "orders.prices", session -> session.createTextMessage("apples"))
                    .getBody(String.class);
            System.out.println("price: " + price);
        };
    }
}
