/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.signetmq.client.SignetConnectionFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jms.core.JmsClient;
import org.springframework.messaging.Message;

/** The client that Spring Boot 4 makes beside its template. */
final class Boot4JmsClientIT {
    @Test
    void client_receivesWhatItSent() throws Exception {
        new ApplicationContextRunner()
                .withUserConfiguration(WrappingIT.Bare.class)
                .withPropertyValues(TestBroker.shared().properties())
                .run(context -> {
                    JmsClient client = context.getBean(JmsClient.class);
                    client.destination("orders.client").send("apples");
                    Message<?> message = client.destination("orders.client")
                            .withReceiveTimeout(20_000)
                            .receive()
                            .orElseThrow();

                    assertThat(message.getPayload()).isEqualTo("apples");
                    assertThat(message.getHeaders()).containsEntry(SignetConnectionFactory.QUALITY_PROPERTY, "privacy");
                });
    }
}
