/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.messaginghub.pooled.jms.JmsPoolXAConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.client.SignetXAConnectionFactory;
import org.springframework.boot.jms.XAConnectionFactoryWrapper;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of a transaction manager, whose part the application brings as Spring Boot has it. */
final class XaIT {
    @BeforeAll
    static void storeOfTransactions(@TempDir Path folder) throws Exception {
        for (String store : new String[] {null, "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(folder.toString());
        }
        BeanPopulator.getDefaultInstance(CoreEnvironmentBean.class).setNodeIdentifier("test");
    }

    @Configuration(proxyBeanMethods = false)
    static class Transactions {
        @Bean
        TransactionManager narayana() {
            return com.arjuna.ats.jta.TransactionManager.transactionManager();
        }

        @Bean
        JtaTransactionManager transactionManager(TransactionManager narayana) {
            return new JtaTransactionManager(narayana);
        }

        @Bean
        XAConnectionFactoryWrapper enlisting(TransactionManager narayana) {
            return provider -> {
                JmsPoolXAConnectionFactory pool = new JmsPoolXAConnectionFactory();
                pool.setConnectionFactory(provider);
                pool.setTransactionManager(narayana);
                return pool;
            };
        }
    }

    @Test
    void poolOfATransactionManager_isAroundTheWrappedFactory_andSendsAllOrNothing() throws Exception {
        TestBroker broker = TestBroker.shared();
        new ApplicationContextRunner()
                .withUserConfiguration(WrappingIT.Bare.class, Transactions.class)
                .withPropertyValues(broker.properties())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(ConnectionFactory.class))
                            .isInstanceOfSatisfying(
                                    JmsPoolXAConnectionFactory.class,
                                    pool -> assertThat(pool.getConnectionFactory())
                                            .isInstanceOf(SignetXAConnectionFactory.class));
                    assertThat(context.getBean("nonXaJmsConnectionFactory"))
                            .isInstanceOf(SignetConnectionFactory.class);
                    JmsTemplate template = context.getBean(JmsTemplate.class);
                    TransactionTemplate transactions =
                            new TransactionTemplate(context.getBean(JtaTransactionManager.class));

                    transactions.executeWithoutResult(status -> {
                        template.convertAndSend("orders.xa", "given up");
                        status.setRollbackOnly();
                    });
                    transactions.executeWithoutResult(status -> template.convertAndSend("orders.xa", "kept"));

                    await().until(() -> broker.messages("orders.xa") == 1);
                    Message message = Objects.requireNonNull(
                            transactions.execute(status -> Objects.requireNonNull(template.receive("orders.xa"))));
                    assertThat(message.getBody(String.class)).isEqualTo("kept");
                    assertThat(message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY))
                            .isEqualTo("privacy");
                });
    }
}
