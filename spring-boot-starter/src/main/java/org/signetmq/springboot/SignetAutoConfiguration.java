/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.jms.ConnectionFactory;
import org.signetmq.client.SignetMetrics;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Wraps the connection factories of an application, whether Spring Boot or the application makes them. The order among
 * other auto-configurations does not matter: the wrapping is a bean post-processor.
 */
@AutoConfiguration
@ConditionalOnClass(ConnectionFactory.class)
@ConditionalOnProperty(prefix = SignetProperties.PREFIX, name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(SignetProperties.class)
@ImportRuntimeHints(SignetRuntimeHints.class)
class SignetAutoConfiguration {
    /** Static, because it comes before all other beans and must not make them early. */
    @Bean
    static ConnectionFactoryWrapping signetConnectionFactoryWrapping(
            ListableBeanFactory beans,
            ObjectProvider<SignetProperties> properties,
            ObjectProvider<SignetFactories> factories) {
        return new ConnectionFactoryWrapping(beans, properties, factories);
    }

    @Bean
    SignetFactories signetFactories(SignetProperties properties) {
        return new SignetFactories(properties);
    }

    /** The meters of each wrapped factory, with the name of its bean as a tag. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {
        @Bean
        MeterBinder signetMetrics(SignetFactories factories) {
            return registry -> factories.forEach(
                    (name, factory) -> new SignetMetrics(factory, Tags.of("factory", name)).bindTo(registry));
        }
    }

    /** Hides the password in the endpoints env and configprops, also where these show all other values. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SanitizingFunction.class)
    static class Secrets {
        @Bean
        SanitizingFunction signetPassword() {
            return SanitizingFunction.sanitizeValue()
                    .ifKeyEquals(SignetProperties.PREFIX + ".password", "SIGNET_PASSWORD");
        }
    }
}
