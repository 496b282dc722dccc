/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.impl.journal.LargeServerMessageImpl;
import org.apache.activemq.artemis.core.postoffice.impl.DivertBinding;
import org.apache.activemq.artemis.core.postoffice.impl.PostOfficeImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Divert;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.impl.ServerSessionImpl;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.spi.core.protocol.SessionCallback;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.interceptor.internal.storage.InMemoryLargeMessage;
import org.signetmq.interceptor.internal.storage.StorageMethods;

/**
 * Checks at the start all that Signet needs of the broker beside its public interfaces: private fields and methods, the
 * names of methods on the stack, locks. Another version of the broker may have others. Signet then refuses to start,
 * and so does the broker.
 */
public final class BrokerInternals {
    private BrokerInternals() {}

    /**
     * Checks the broker.
     *
     * @throws IllegalStateException if Signet cannot protect messages in this version of it
     */
    public static void require(ActiveMQServer server) {
        try {
            BrokerField.require(server.getClass(), StorageManager.class);
            BrokerField.require(PostOfficeImpl.class, StorageManager.class);
            BrokerField.require(DivertBinding.class, Divert.class);
            BrokerField.require(ServerSessionImpl.class, SessionCallback.class);
            StorageMethods.of(StorageManager.class).require();
            requireMonitors();
            requireMethod(LargeServerMessageImpl.class, InMemoryLargeMessage.CALLER);
            requireCopyIsSeen(new LargeServerMessageImpl(nowhere()), BrokerInternals::copy);
            requireAmqp();
        } catch (MessageRejectedException | RuntimeException | LinkageError e) {
            throw new IllegalStateException(
                    "Signet refuses to start: this version of Artemis is not one that Signet supports: "
                            + (e instanceof MessageRejectedException ? e.getMessage() : e.toString()),
                    e);
        }
    }

    /** Checks the parts of AMQP. Without them there is nothing to check. */
    private static void requireAmqp() throws MessageRejectedException {
        LargeServerMessage message;
        try {
            message = AmqpLargeBody.empty(nowhere());
        } catch (NoClassDefFoundError noAmqp) { // a broker may run without the protocol
            return;
        }
        AmqpSessions.requireInternals();
        AmqpLargeBody.requireInternals();
        requireCopyIsSeen(message, BrokerInternals::copy);
    }

    /** Checks that a session holds its own monitor while it sends, which shows the session of a thread. */
    private static void requireMonitors() throws MessageRejectedException {
        List<Method> sends = Arrays.stream(ServerSessionImpl.class.getMethods())
                .filter(method -> method.getName().equals("send")
                        && method.getParameterCount() > 0
                        && method.getParameterTypes()[0] == Transaction.class)
                .toList();
        if (sends.isEmpty() || !sends.stream().allMatch(method -> Modifier.isSynchronized(method.getModifiers()))) {
            throw new MessageRejectedException("it does not lock a session that sends");
        }
    }

    private static void requireMethod(Class<?> owner, String name) throws MessageRejectedException {
        if (Arrays.stream(owner.getMethods())
                .noneMatch(method -> method.getName().equals(name))) {
            throw new MessageRejectedException("no " + name + " in " + owner.getSimpleName());
        }
    }

    private static void copy(LargeServerMessage message) {
        var unused = message.toMessage().copy(2);
    }

    /** Copies an empty large message, and checks that the copy is recognised. It writes nothing. */
    static void requireCopyIsSeen(LargeServerMessage message, Consumer<LargeServerMessage> copying)
            throws MessageRejectedException {
        var unused = FileProxies.takeCopied();
        LargeBody body = LargeBody.waiting(new LargeFile(nowhere(), 1), WaitingBytes.Space.UNLIMITED);
        message.getLargeBody().replaceFile(FileProxies.unjudged(Idle.as(SequentialFile.class), body));
        copying.accept(message);
        if (!FileProxies.takeCopied()) {
            throw new MessageRejectedException("it copies large messages in another way: "
                    + message.getClass().getSimpleName());
        }
    }

    /** Returns a storage that stores nothing. */
    static StorageManager nowhere() {
        return Idle.as(StorageManager.class);
    }

    /** Stands for an object of the broker, does nothing, and answers with more of its kind. */
    private static final class Idle implements InvocationHandler {
        static <T> T as(Class<T> type) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Idle()));
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments) {
            Class<?> type = method.getReturnType();
            if (type == LargeServerMessage.class || type == SequentialFile.class) {
                return as(type);
            }
            if (type == boolean.class) {
                return false;
            }
            return type == int.class ? (Object) 0 : type == long.class ? 0L : null;
        }
    }
}
