/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.postoffice.impl.DivertBinding;
import org.apache.activemq.artemis.core.server.Divert;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.storage.BrokerField;

/**
 * Judges each message before a divert copies it. The broker runs the diverts of an address before it asks its plugins
 * about the message.
 */
public final class DivertGuard implements InvocationHandler {
    private final Divert divert;
    private final Judge judge;

    private DivertGuard(Divert divert, Judge judge) {
        this.divert = divert;
        this.judge = judge;
    }

    /** Judges a message that the broker routes. Throws the exception that rejects the message. */
    @FunctionalInterface
    public interface Judge {
        void route(Message message, RoutingContext context) throws Exception;
    }

    /**
     * Guards the divert of this binding. A binding of another kind stays unchanged.
     *
     * @throws MessageRejectedException if this version of the broker keeps the divert elsewhere
     */
    public static void guard(Binding binding, Judge judge) throws Exception {
        if (binding instanceof DivertBinding diverting) {
            BrokerField<Divert> field = BrokerField.of(diverting, Divert.class);
            Divert guarded = (Divert) Proxy.newProxyInstance(
                    Divert.class.getClassLoader(),
                    new Class<?>[] {Divert.class},
                    new DivertGuard(unguarded(field.get()), judge));
            field.set(guarded);
        }
    }

    private static Divert unguarded(Divert divert) {
        return Proxy.isProxyClass(divert.getClass()) && Proxy.getInvocationHandler(divert) instanceof DivertGuard guard
                ? guard.divert
                : divert;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("equals")) {
            return arguments != null && self == arguments[0];
        }
        if (arguments != null
                && arguments.length == 2
                && arguments[0] instanceof Message message
                && arguments[1] instanceof RoutingContext context) {
            judge.route(message, context);
        }
        try {
            return method.invoke(divert, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
