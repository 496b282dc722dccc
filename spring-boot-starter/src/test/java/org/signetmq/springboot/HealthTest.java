/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jms.core.JmsTemplate;

/** The health and the meters of an application. */
abstract class HealthTest {
    private static final String FACTORY = "jmsConnectionFactory";

    /** The health as Spring Boot shows it. */
    record Shown(boolean isUp, Map<String, Object> details) {}

    abstract Shown shown(ApplicationContext context);

    @Test
    void healthAndMeters_followTheFactory() throws Exception {
        TestBroker broker = TestBroker.shared();
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(WrappingIT.Bare.class)
                .properties(broker.properties())
                .run()) {
            JmsTemplate template = context.getBean(JmsTemplate.class);
            template.convertAndSend("orders.health", "apples");
            assertThat(template.receiveAndConvert("orders.health")).isEqualTo("apples");

            assertThat(shown(context))
                    .isEqualTo(new Shown(true, Map.of(FACTORY, Map.of("policies", 1L, "opened", 1L, "failing", 0))));
            assertThat(context.getBean(MeterRegistry.class)
                            .get("signet.client.opened")
                            .tags("factory", FACTORY)
                            .functionCounter()
                            .count())
                    .isEqualTo(1);

            Path policies = broker.homes.application().resolve("policies.json");
            Files.setPosixFilePermissions(policies, PosixFilePermissions.fromString("rw-rw-rw-"));
            try {
                await().until(() -> !shown(context).isUp());
                assertThat(String.valueOf(shown(context).details().get(FACTORY)))
                        .contains("problem=", policies.toString(), "chmod");
            } finally {
                Files.setPosixFilePermissions(policies, PosixFilePermissions.fromString("rw-r--r--"));
            }
            await().until(() -> shown(context).isUp());
        }
    }
}
