/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The health of the wrapped connection factories, in the types of Spring Boot 3. */
@AutoConfiguration(after = SignetAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(SignetFactories.class)
class HealthOfBoot3 {
    @Bean
    @ConditionalOnEnabledHealthIndicator("signet")
    HealthIndicator signetHealthIndicator(SignetFactories factories) {
        return () -> {
            FactoriesHealth health = FactoriesHealth.of(factories);
            return (health.isUp() ? Health.up() : Health.down())
                    .withDetails(health.details())
                    .build();
        };
    }
}
