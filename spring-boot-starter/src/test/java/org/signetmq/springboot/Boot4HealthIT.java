/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;

/** The health in the types of Spring Boot 4. */
final class Boot4HealthIT extends HealthTest {
    @Override
    Shown shown(ApplicationContext context) {
        Health health = Objects.requireNonNull(
                context.getBean("signetHealthIndicator", HealthIndicator.class).health());
        assertThat(Objects.requireNonNull(context.getBean(HealthEndpoint.class).healthForPath("signet"))
                        .getStatus())
                .isEqualTo(health.getStatus());
        return new Shown(health.getStatus().equals(Status.UP), health.getDetails());
    }
}
