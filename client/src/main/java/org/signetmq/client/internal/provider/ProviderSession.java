/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A JMSContext as a session, for the methods that both have. The unchecked exceptions of a JMSContext pass unchanged.
 */
public final class ProviderSession extends Wrapper<Session> {
    private static final Map<Method, Method> OF_CONTEXT = new ConcurrentHashMap<>();

    private final JMSContext context;

    private ProviderSession(JMSContext context) {
        super(Session.class);
        this.context = context;
    }

    /** Returns the session of a context. */
    public static Session of(JMSContext context) {
        return new ProviderSession(context).shown();
    }

    /** Returns the provider's Session or JMSContext. */
    public static Object provider(Session session) {
        ProviderSession ofContext = behind(session, ProviderSession.class);
        return ofContext == null ? session : ofContext.context;
    }

    /** Sends a persistent message to a queue. It never expires. */
    public static void send(Session session, String queue, Message message, int priority) throws JMSException {
        if (provider(session) instanceof JMSContext context) {
            context.createProducer()
                    .setDeliveryMode(DeliveryMode.PERSISTENT)
                    .setPriority(priority)
                    .send(context.createQueue(queue), message);
            return;
        }
        try (MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            producer.send(message, DeliveryMode.PERSISTENT, priority, Message.DEFAULT_TIME_TO_LIVE);
        }
    }

    @Override
    protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
        return call(OF_CONTEXT.computeIfAbsent(method, ProviderSession::ofContext), context, arguments);
    }

    private static Method ofContext(Method method) {
        try {
            return JMSContext.class.getMethod(method.getName(), method.getParameterTypes());
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("context: has no method " + method.getName(), e);
        }
    }
}
