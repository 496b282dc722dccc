/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.postoffice.impl.DivertBinding;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Divert;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.interceptor.internal.storage.StorageMethods;

/**
 * Puts the last gate before the storage of the broker's post office, and guards its diverts. Every message passes the
 * post office before the broker stores it, also messages without a session. Puts another gate before the storage of the
 * sessions, which write large messages themselves.
 */
public final class PostOfficeGate {
    private final ActiveMQServer server;
    private final MessageGate gate;
    private final DivertGuard.Judge judge;
    private @Nullable StorageGate installed; // guarded by this
    private volatile @Nullable String problem;

    public PostOfficeGate(ActiveMQServer server, MessageGate gate, DivertGuard.Judge judge) {
        this.server = server;
        this.gate = gate;
        this.judge = judge;
    }

    /** Installs the gates. The caller calls this after the broker has loaded and before clients connect. */
    public synchronized void install() {
        if (installed != null) {
            return;
        }
        try {
            StorageGate made = new StorageGate(
                    StorageGate.behind(server.getPostOffice()),
                    StorageMethods.of(StorageManager.class),
                    gate.lastGate());
            made.putInto(server.getPostOffice());
            installed = made;
            for (var binding : server.getPostOffice().getAllBindings().toList()) {
                DivertGuard.guard(binding, judge);
            }
            gate.large().install();
            problem = null;
        } catch (Throwable e) { // any failure: no message may pass without these gates
            problem = e instanceof MessageRejectedException ? String.valueOf(e.getMessage()) : e.toString();
            PluginLog.LOG.error("Signet rejects all clients, because it cannot protect their messages: {}", problem);
        }
    }

    /** Returns the reason why no message can be protected, or null. */
    @Nullable
    public String problem() {
        return problem;
    }

    /**
     * Checks that the gates stand.
     *
     * @throws MessageRejectedException if they do not: the broker would write large messages of a client in clear
     */
    public void require() throws MessageRejectedException {
        String why = problem;
        if (why != null) {
            throw new MessageRejectedException("Signet rejects all clients: " + why);
        }
    }

    /** Removes the gates when the plugin is removed from a running broker. */
    public synchronized void uninstall() {
        gate.large().uninstall();
        StorageGate removed = installed;
        installed = null;
        problem = null;
        if (removed != null) {
            removed.takeFrom(server.getPostOffice());
        }
    }

    /**
     * Judges each message before a divert copies it. The broker runs the diverts of an address before it asks its
     * plugins about the message.
     */
    public record DivertGuard(Divert divert, Judge judge) implements InvocationHandler {
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
            return Proxy.isProxyClass(divert.getClass())
                            && Proxy.getInvocationHandler(divert) instanceof DivertGuard guard
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
}
