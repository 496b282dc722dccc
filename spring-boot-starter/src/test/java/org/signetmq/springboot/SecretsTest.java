/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.actuate.env.EnvironmentEndpoint.PropertyValueDescriptor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The actuator's endpoint env where it shows all values. */
final class SecretsTest {
    /** Returns an application with the password in a property or variable. */
    static ApplicationContextRunner application(String name) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SignetAutoConfiguration.class))
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(
                                new SystemEnvironmentPropertySource("systemEnvironment", Map.of(name, Homes.PASSWORD))))
                .withPropertyValues("signet.home=/srv/home", "signet.identity=alice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"signet.password", "SIGNET_PASSWORD"})
    void password_isNotShown(String name) {
        application(name).run(context -> {
            assertThat(context).hasNotFailed();
            EnvironmentEndpoint endpoint = new EnvironmentEndpoint(
                    context.getEnvironment(),
                    context.getBeanProvider(SanitizingFunction.class).stream().toList(),
                    Show.ALWAYS);
            assertThat(endpoint.environment(null).getPropertySources().stream()
                            .flatMap(source -> source.getProperties().values().stream())
                            .map(PropertyValueDescriptor::getValue))
                    .contains("alice")
                    .doesNotContain(Homes.PASSWORD);
        });
    }
}
