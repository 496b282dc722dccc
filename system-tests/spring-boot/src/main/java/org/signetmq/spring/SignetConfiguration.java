/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.spring;

import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.jms.DefaultJmsListenerContainerFactoryConfigurer;
import org.springframework.boot.autoconfigure.jms.artemis.ArtemisProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.SimpleJmsListenerContainerFactory;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Signet's factory around that of Artemis, and Spring's cache around Signet's. All else is Spring Boot's choice. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ArtemisProperties.class)
class SignetConfiguration {
    @Bean
    SignetConnectionFactory signet(
            ArtemisProperties artemis,
            @Value("${signet.home}") Path home,
            @Value("${signet.password-file}") Path passwordFile)
            throws IOException {
        ActiveMQConnectionFactory provider =
                new ActiveMQConnectionFactory(artemis.getBrokerUrl(), artemis.getUser(), artemis.getPassword());
        try (Password password = Password.fromFile(passwordFile)) {
            return SignetConnectionFactory.open(provider, home, "alice", password);
        }
    }

    @Bean
    @Primary
    CachingConnectionFactory connectionFactory(SignetConnectionFactory signet) {
        return new CachingConnectionFactory(signet);
    }

    /** For listeners that ask for it. The others get Spring Boot's, of the kind with polling threads. */
    @Bean
    SimpleJmsListenerContainerFactory simple(SignetConnectionFactory signet) {
        SimpleJmsListenerContainerFactory factory = new SimpleJmsListenerContainerFactory();
        factory.setConnectionFactory(signet);
        factory.setSessionTransacted(true);
        return factory;
    }

    /** As Spring Boot's, without transactions. */
    @Bean
    DefaultJmsListenerContainerFactory acknowledging(
            DefaultJmsListenerContainerFactoryConfigurer configurer, ConnectionFactory connectionFactory) {
        DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
        configurer.configure(factory, connectionFactory);
        factory.setSessionTransacted(false);
        return factory;
    }

    @Bean
    TransactionTemplate transactions(ConnectionFactory connectionFactory) {
        return new TransactionTemplate(new JmsTransactionManager(connectionFactory));
    }
}
