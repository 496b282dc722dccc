/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.spring;

import jakarta.jms.ConnectionFactory;
import org.springframework.boot.autoconfigure.jms.DefaultJmsListenerContainerFactoryConfigurer;
import org.springframework.boot.jms.ConnectionFactoryUnwrapper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.SimpleJmsListenerContainerFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Containers and transactions beside those of Spring Boot, with the connection factory that the starter wrapped. */
@Configuration(proxyBeanMethods = false)
class JmsConfiguration {
    /** For listeners that ask for it. The others get Spring Boot's, of the kind with polling threads. */
    @Bean
    SimpleJmsListenerContainerFactory simple(ConnectionFactory connectionFactory) {
        SimpleJmsListenerContainerFactory factory = new SimpleJmsListenerContainerFactory();
        factory.setConnectionFactory(ConnectionFactoryUnwrapper.unwrapCaching(connectionFactory));
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
