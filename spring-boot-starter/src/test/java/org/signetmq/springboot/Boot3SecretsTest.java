/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint.ConfigurationPropertiesBeanDescriptor;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.Show;

/** The actuator's endpoint configprops where it shows all values. That of Spring Boot 4 needs more libraries. */
final class Boot3SecretsTest {
    @ParameterizedTest
    @ValueSource(strings = {"signet.password", "SIGNET_PASSWORD"})
    void password_isNotShown(String name) {
        SecretsTest.application(name).run(context -> {
            assertThat(context).hasNotFailed();
            ConfigurationPropertiesReportEndpoint endpoint = new ConfigurationPropertiesReportEndpoint(
                    context.getBeanProvider(SanitizingFunction.class).stream().toList(), Show.ALWAYS);
            endpoint.setApplicationContext(context.getSourceApplicationContext());
            ConfigurationPropertiesBeanDescriptor shown =
                    endpoint.configurationPropertiesWithPrefix("signet").getContexts().values().stream()
                            .flatMap(found -> found.getBeans().values().stream())
                            .findFirst()
                            .orElseThrow();
            assertThat(shown.getProperties())
                    .containsEntry("identity", "alice")
                    .containsEntry("password", SanitizableData.SANITIZED_VALUE);
            assertThat(Objects.toString(shown.getInputs())).contains("alice").doesNotContain(Homes.PASSWORD);
        });
    }
}
