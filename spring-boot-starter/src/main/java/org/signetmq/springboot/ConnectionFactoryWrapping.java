/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import org.messaginghub.pooled.jms.JmsPoolXAConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.client.SignetXAConnectionFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.jms.XAConnectionFactoryWrapper;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.jms.connection.DelegatingConnectionFactory;
import org.springframework.jms.connection.SingleConnectionFactory;
import org.springframework.jms.support.JmsAccessor;
import org.springframework.util.ClassUtils;

/**
 * Wraps each connection factory of the application as soon as Spring has made it. Under a cache or a pool it wraps the
 * factory of the provider, and leaves the cache or pool outside. When all beans are made, it checks that no connection
 * factory has stayed unwrapped. Thread-safe.
 */
final class ConnectionFactoryWrapping implements BeanPostProcessor, PriorityOrdered, SmartInitializingSingleton {
    private static final boolean HAS_XA = isPresent("org.springframework.boot.jms.XAConnectionFactoryWrapper");
    private static final boolean HAS_ACCESSORS = isPresent("org.springframework.jms.support.JmsAccessor");
    private static final String REMEDY =
            "Wrap the client library's factory with SignetConnectionFactory and return that"
                    + " from the bean method, or name the bean in signet.plain-connection-factories if its messages need no"
                    + " protection.";

    private final ListableBeanFactory beans;
    private final ObjectProvider<SignetProperties> properties;
    private final ObjectProvider<SignetFactories> factories;

    /** The names of the beans that this object has wrapped, or left plain as the properties say. */
    private final Set<String> treated = ConcurrentHashMap.newKeySet();

    /** The factories of a transaction manager, around a wrapped one. */
    private final Set<ConnectionFactory> enlisting =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /**
     * Makes it, without making what it uses: it comes before all other beans.
     *
     * @param beans those of the application
     */
    ConnectionFactoryWrapping(
            ListableBeanFactory beans,
            ObjectProvider<SignetProperties> properties,
            ObjectProvider<SignetFactories> factories) {
        this.beans = beans;
        this.properties = properties;
        this.factories = factories;
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, ConnectionFactoryWrapping.class.getClassLoader());
    }

    /** Comes before all others, so that it sees the factories themselves and no proxies of them. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof ConnectionFactory factory) {
            Object result = isPlain(name) ? bean : wrapped(factory, name);
            treated.add(name);
            return result;
        }
        return HAS_XA && bean instanceof XAConnectionFactoryWrapper wrapper ? enlistingWrapped(wrapper, name) : bean;
    }

    private boolean isPlain(String name) {
        return properties.getObject().plainConnectionFactories().contains(name);
    }

    /** Returns the object that the application gets in place of a factory. */
    private ConnectionFactory wrapped(ConnectionFactory factory, String name) {
        if (isSignets(factory)) {
            return factory;
        } else if (isOfProvider(factory)) {
            return factories.getObject().open(name, factory);
        }
        Outer outer = Outer.of(factory);
        if (outer == null || outer.inner() == null) {
            throw new StartFailure(
                    "the connection factory '" + name + "' would stay unprotected: its class "
                            + factory.getClass().getName() + " is none of a known client library, cache or pool"
                            + " with a connection factory inside",
                    REMEDY);
        }
        outer.replacing().accept(wrapped(outer.inner(), name));
        return factory;
    }

    private boolean isSignets(@Nullable ConnectionFactory factory) {
        return factory instanceof SignetConnectionFactory
                || factory instanceof SignetXAConnectionFactory
                || enlisting.contains(factory);
    }

    private static boolean isOfProvider(ConnectionFactory factory) {
        for (Class<?> type = factory.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().startsWith("org.apache.activemq.")
                    || type.getName().startsWith("org.apache.qpid.jms.")) {
                return true;
            }
        }
        return false;
    }

    /** Returns a wrapper by which the transaction manager enlists the sessions of Signet. */
    private XAConnectionFactoryWrapper enlistingWrapped(XAConnectionFactoryWrapper wrapper, String name) {
        return provider -> {
            ConnectionFactory made = wrapper.wrapConnectionFactory(xa(provider, name));
            enlisting.add(made);
            return made;
        };
    }

    private XAConnectionFactory xa(XAConnectionFactory provider, String name) {
        if (provider instanceof SignetXAConnectionFactory) {
            return provider;
        } else if (provider instanceof ConnectionFactory factory) {
            return factories.getObject().open(name, factory).xa();
        }
        throw new StartFailure(
                "the connection factory for transactions of '" + name + "' would stay unprotected: its class "
                        + provider.getClass().getName() + " makes no other connections",
                REMEDY);
    }

    @Override
    public void afterSingletonsInstantiated() {
        properties.getObject().requiredHome();
        for (String name :
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, ConnectionFactory.class, true, false)) {
            if (beans.isSingleton(name) && !isPlain(name)) {
                requireWrapped(beans.getBean(name, ConnectionFactory.class), name);
            }
        }
        if (HAS_ACCESSORS) {
            requireAccessorsWrapped();
        }
    }

    /** Checks the factories of templates and listener containers: one that is no bean was not wrapped. */
    private void requireAccessorsWrapped() {
        List<Object> plain = properties.getObject().plainConnectionFactories().stream()
                .filter(beans::containsBean)
                .map(beans::getBean)
                .toList();
        for (String name :
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, JmsAccessor.class, false, false)) {
            ConnectionFactory used = beans.getBean(name, JmsAccessor.class).getConnectionFactory();
            if (used != null && !isWrapped(used) && plain.stream().noneMatch(bean -> bean == used)) {
                throw new StartFailure(
                        "messages of '" + name + "' would stay unprotected: its connection factory is no bean", REMEDY);
            }
        }
    }

    /** Checks a factory that may have been made before this object, or by another context. */
    private void requireWrapped(ConnectionFactory factory, String name) {
        if (!treated.contains(name) && !isWrapped(factory)) {
            throw new StartFailure(
                    "the connection factory '" + name + "' would stay unprotected: it was made before Signet could"
                            + " wrap it, by a bean post-processor, another context or registerSingleton",
                    REMEDY);
        }
    }

    private boolean isWrapped(@Nullable ConnectionFactory factory) {
        if (factory == null || isSignets(factory)) {
            return factory != null;
        }
        Outer outer = Outer.of(factory);
        return outer != null && isWrapped(outer.inner());
    }

    /**
     * A cache or pool. The application need not have these libraries.
     *
     * @param inner the factory inside; null for none
     * @param replacing puts another one in its place, and closes connections that were made of the former one
     */
    private record Outer(@Nullable ConnectionFactory inner, Consumer<ConnectionFactory> replacing) {
        private static final boolean HAS_CACHES =
                isPresent("org.springframework.jms.connection.SingleConnectionFactory");
        private static final boolean HAS_POOLS = isPresent("org.messaginghub.pooled.jms.JmsPoolConnectionFactory");

        /** Returns a factory as a cache or pool; null if it is none. */
        static @Nullable Outer of(ConnectionFactory factory) {
            Outer cache = HAS_CACHES ? ofSpring(factory) : null;
            return cache == null && HAS_POOLS ? ofPool(factory) : cache;
        }

        private static @Nullable Outer ofSpring(ConnectionFactory factory) {
            if (factory instanceof SingleConnectionFactory cache) {
                return new Outer(cache.getTargetConnectionFactory(), made -> {
                    cache.setTargetConnectionFactory(made);
                    cache.resetConnection();
                });
            } else if (factory instanceof DelegatingConnectionFactory around) {
                return new Outer(around.getTargetConnectionFactory(), around::setTargetConnectionFactory);
            }
            return null;
        }

        private static @Nullable Outer ofPool(ConnectionFactory factory) {
            return factory instanceof JmsPoolConnectionFactory pool
                    ? new Outer((ConnectionFactory) pool.getConnectionFactory(), made -> {
                        pool.setConnectionFactory(
                                pool instanceof JmsPoolXAConnectionFactory
                                                && made instanceof SignetConnectionFactory signet
                                        ? signet.xa()
                                        : made);
                        pool.clear();
                    })
                    : null;
        }
    }
}
