/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;

/** The starter of Qpid JMS, which is for Spring Boot 3. */
final class Boot3AmqpIT {
    private static final Map<String, Class<?>> FACTORIES = Map.of(
            "", SignetConnectionFactory.class,
            "cache", CachingConnectionFactory.class,
            "pool", JmsPoolConnectionFactory.class);

    @ParameterizedTest
    @CsvSource({
        "spring.jms.cache.enabled=false, ''",
        "spring.jms.cache.enabled=true, cache",
        "amqphub.amqp10jms.pool.enabled=true, pool"
    })
    void factoryOfTheStarter_isWrapped(String property, String kind) throws Exception {
        TestBroker broker = TestBroker.shared();
        new ApplicationContextRunner()
                .withUserConfiguration(WrappingIT.Bare.class)
                .withPropertyValues(broker.properties(
                        "spring.autoconfigure.exclude=",
                        "amqphub.amqp10jms.remote-url=amqp://127.0.0.1:" + broker.port(),
                        property))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBeansOfType(JmsConnectionFactory.class))
                            .isEmpty();
                    assertThat(context.getBean(ConnectionFactory.class)).isInstanceOf(FACTORIES.get(kind));
                    JmsTemplate template = context.getBean(JmsTemplate.class);
                    template.convertAndSend("orders.amqp", "apples");
                    Message message = Objects.requireNonNull(template.receive("orders.amqp"));
                    assertThat(message.getBody(String.class)).isEqualTo("apples");
                    assertThat(message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY))
                            .isEqualTo("privacy");
                });
    }
}
