/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.DelegatingConnectionFactory;
import org.springframework.jms.connection.SingleConnectionFactory;
import org.springframework.jms.connection.TransactionAwareConnectionFactoryProxy;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.util.FileSystemUtils;

/** The connection factories that an application gets, whether Spring Boot or the application itself makes them. */
final class WrappingIT {
    private static TestBroker broker;
    private static int sent;

    @BeforeAll
    static void start() throws Exception {
        broker = TestBroker.shared();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Bare {}

    private static ApplicationContextRunner application(Class<?>... beans) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Bare.class)
                .withUserConfiguration(beans)
                .withPropertyValues(broker.properties());
    }

    private static ActiveMQConnectionFactory provider() {
        return new ActiveMQConnectionFactory("tcp://127.0.0.1:" + broker.port());
    }

    /** The template of the context sends a message, and receives it sealed by the broker and opened. */
    private static void assertOpens(AssertableApplicationContext context) throws Exception {
        assertOpens(context, "");
    }

    private static void assertOpens(AssertableApplicationContext context, String prefix) throws Exception {
        assertThat(context).hasNotFailed();
        String queue = prefix + "orders.wrapped." + sent++;
        JmsTemplate template = context.getBean(JmsTemplate.class);
        template.convertAndSend(queue, "apples");
        Message message = Objects.requireNonNull(template.receive(queue));
        assertThat(message.getBody(String.class)).isEqualTo("apples");
        assertThat(message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY))
                .isEqualTo("privacy");
    }

    private static void assertRefused(AssertableApplicationContext context, String... words) {
        assertThat(context).hasFailed();
        assertThat(NestedExceptionUtils.getMostSpecificCause(Objects.requireNonNull(context.getStartupFailure())))
                .isInstanceOf(StartFailure.class)
                .hasMessageContainingAll(words);
    }

    private static ConnectionFactory only(AssertableApplicationContext context) {
        return context.getBean(ConnectionFactory.class);
    }

    @Test
    void cacheOfSpringBoot_isAroundTheWrappedFactory() {
        application().run(context -> {
            assertThat(only(context))
                    .isInstanceOfSatisfying(
                            CachingConnectionFactory.class,
                            cache -> assertThat(cache.getTargetConnectionFactory())
                                    .isInstanceOf(SignetConnectionFactory.class));
            assertOpens(context);
        });
    }

    @Test
    void poolOfSpringBoot_isAroundTheWrappedFactory() {
        application().withPropertyValues("spring.artemis.pool.enabled=true").run(context -> {
            assertThat(only(context))
                    .isInstanceOfSatisfying(
                            JmsPoolConnectionFactory.class,
                            pool -> assertThat(pool.getConnectionFactory())
                                    .isInstanceOf(SignetConnectionFactory.class));
            assertOpens(context);
        });
    }

    @Test
    void factoryOfSpringBoot_withoutCacheAndPool_isTheWrappedOne() {
        application().withPropertyValues("spring.jms.cache.enabled=false").run(context -> {
            assertThat(only(context)).isInstanceOf(SignetConnectionFactory.class);
            assertOpens(context);
        });
    }

    @Test
    void starterThatIsDisabled_wrapsNothing_andNeedsNoHome() {
        application()
                .withPropertyValues("signet.enabled=false", "signet.home=", "spring.jms.cache.enabled=false")
                .run(context -> assertThat(only(context)).isInstanceOf(ActiveMQConnectionFactory.class));
    }

    /** Factories of an application, at whatever depth the one of the provider is. */
    @Configuration(proxyBeanMethods = false)
    static class Nested {
        @Bean
        ConnectionFactory nested() {
            DelegatingConnectionFactory delegating = new DelegatingConnectionFactory();
            delegating.setTargetConnectionFactory(provider());
            return new CachingConnectionFactory(delegating);
        }
    }

    @Test
    void cacheAroundADelegate_isAroundTheWrappedFactory() {
        application(Nested.class).run(context -> {
            CachingConnectionFactory cache = context.getBean(CachingConnectionFactory.class);
            assertThat(cache.getTargetConnectionFactory())
                    .isInstanceOfSatisfying(
                            DelegatingConnectionFactory.class,
                            around -> assertThat(around.getTargetConnectionFactory())
                                    .isInstanceOf(SignetConnectionFactory.class));
            assertOpens(context);
        });
    }

    /** A cache that the application has connected, to fail early where there is no broker. */
    @Configuration(proxyBeanMethods = false)
    static class ConnectedCache {
        @Bean(initMethod = "initConnection")
        ConnectionFactory cache() {
            return new CachingConnectionFactory(provider());
        }
    }

    /** A pool that the application has connected. */
    @Configuration(proxyBeanMethods = false)
    static class ConnectedPool {
        @Bean(destroyMethod = "stop")
        ConnectionFactory pool() throws Exception {
            JmsPoolConnectionFactory pool = new JmsPoolConnectionFactory();
            pool.setConnectionFactory(provider());
            pool.createConnection().close();
            return pool;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ConnectedCache.class, ConnectedPool.class})
    void connectionThatWasMadeBefore_isNotUsed(Class<?> connected) {
        application(connected).run(WrappingIT::assertOpens);
    }

    /** A bean that the application has wrapped, and a cache around the same one. */
    @Configuration(proxyBeanMethods = false)
    static class WrappedTwice {
        @Bean
        ConnectionFactory provided() {
            return provider();
        }

        @Bean
        ConnectionFactory cache(ConnectionFactory provided) {
            return new CachingConnectionFactory(provided);
        }
    }

    @Test
    void factoryThatIsWrapped_isNotWrappedAgain() {
        application(WrappedTwice.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(CachingConnectionFactory.class).getTargetConnectionFactory())
                    .isSameAs(context.getBean("provided"))
                    .isInstanceOf(SignetConnectionFactory.class);
            assertThat(context.getBean(SignetFactories.class).status()).containsOnlyKeys("provided");
        });
    }

    /** A proxy of Spring that does not show the factory inside. */
    @Configuration(proxyBeanMethods = false)
    static class Hidden {
        @Bean
        ConnectionFactory hidden() {
            return new TransactionAwareConnectionFactoryProxy(provider());
        }
    }

    @Test
    void factoryOfAnUnknownClass_isRefused() {
        application(Hidden.class)
                .run(context -> assertRefused(
                        context,
                        "the connection factory 'hidden' would stay unprotected: its class ",
                        TransactionAwareConnectionFactoryProxy.class.getName()));
    }

    @Test
    void factoryThatThePropertiesName_staysPlain() {
        application(Hidden.class)
                .withPropertyValues("signet.plain-connection-factories=hidden")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(only(context)).isInstanceOf(TransactionAwareConnectionFactoryProxy.class);
                });
    }

    /** A factory with a connection instead of a factory inside. */
    @Configuration(proxyBeanMethods = false)
    static class Connected {
        @Bean(destroyMethod = "close")
        Connection connection() throws Exception {
            return provider().createConnection();
        }

        @Bean
        ConnectionFactory single(Connection connection) {
            return new SingleConnectionFactory(connection);
        }
    }

    @Test
    void factoryOfAConnectionThatIsThere_isRefused() {
        application(Connected.class)
                .run(context -> assertRefused(context, "the connection factory 'single' would stay unprotected"));
    }

    @Configuration(proxyBeanMethods = false)
    static class TemplateOfItsOwn {
        @Bean
        JmsTemplate reports() {
            return new JmsTemplate(provider());
        }
    }

    @Test
    void factoryOfATemplate_thatIsNoBean_isRefused() {
        application(TemplateOfItsOwn.class)
                .run(context -> assertRefused(context, "'reports'", "its connection factory is no bean"));
    }

    @Test
    void factoryThatWasRegistered_isRefused() {
        application()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("registered", provider()))
                .run(context -> assertRefused(
                        context, "the connection factory 'registered' would stay unprotected: it was made before"));
    }

    @Test
    void factoryOfAParentContext_isRefused() {
        new ApplicationContextRunner()
                .withBean("inherited", ConnectionFactory.class, WrappingIT::provider)
                .run(parent -> application()
                        .withParent(parent)
                        .run(context -> assertRefused(
                                context,
                                "the connection factory 'inherited' would stay unprotected: it was made before")));
    }

    /** A post-processor that needs a factory, which is thus made before most others. */
    @Configuration(proxyBeanMethods = false)
    static class Early {
        @Bean
        static BeanPostProcessor needsAFactory(ConnectionFactory factory) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    assertThat(factory).isNotNull();
                    return bean;
                }
            };
        }
    }

    @Test
    void factoryThatAPostProcessorNeeds_isWrapped() {
        application(Early.class).run(WrappingIT::assertOpens);
    }

    /** Beans that are made when they are asked for. */
    @Configuration(proxyBeanMethods = false)
    static class Late {
        @Bean
        @org.springframework.context.annotation.Scope("prototype")
        ConnectionFactory prototype() {
            return provider();
        }
    }

    @Test
    void factoriesOfAPrototype_areWrapped_eachByItself() {
        application(Late.class).run(context -> {
            ObjectProvider<ConnectionFactory> made = context.getBeanProvider(ConnectionFactory.class);
            assertThat(List.of(made.getObject(), made.getObject()))
                    .doesNotHaveDuplicates()
                    .allMatch(SignetConnectionFactory.class::isInstance);
            assertThat(context.getBean(SignetFactories.class).status()).containsKeys("prototype", "prototype-2");
        });
    }

    @Test
    void prefixOfTheAcceptor_isRemovedFromNames() {
        application()
                .withPropertyValues("signet.address-prefixes=" + TestBroker.PREFIX)
                .run(context -> assertOpens(context, TestBroker.PREFIX));
    }

    @Test
    void homeWithoutPolicies_getsThoseOfTheBroker(@TempDir Path folder) throws Exception {
        Path home = folder.resolve("home");
        FileSystemUtils.copyRecursively(broker.homes.application(), home);
        Homes.secret(home.resolve("password"), Homes.PASSWORD);
        Homes.secret(
                home.resolve("identities/alice.p12"),
                Files.readAllBytes(broker.homes.application().resolve("identities/alice.p12")));
        Files.delete(home.resolve("policies.json"));
        application()
                .withPropertyValues(
                        "signet.policies=broker",
                        "signet.home=" + home,
                        "signet.password-file=" + home.resolve("password"))
                .run(WrappingIT::assertOpens);
    }

    @Test
    void applicationThatSealsNothing_startsWithoutTheCertificatesOfOthers(@TempDir Path folder) throws Exception {
        Path home = Homes.in(folder).application();
        Homes.writePolicies(home, "nobody");
        application()
                .withPropertyValues(
                        "signet.require-recipients=false",
                        "signet.home=" + home,
                        "signet.password-file=" + home.resolve("password"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void password_isNotShown() {
        application()
                .withPropertyValues("signet.password-file=", "signet.password=" + Homes.PASSWORD)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(SignetProperties.class).toString())
                            .doesNotContain(Homes.PASSWORD);
                });
    }
}
