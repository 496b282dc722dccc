/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the wrapped connection factories, in the types of Spring Boot 4. */
@AutoConfiguration(after = SignetAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(SignetFactories.class)
class HealthOfBoot4 {
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
