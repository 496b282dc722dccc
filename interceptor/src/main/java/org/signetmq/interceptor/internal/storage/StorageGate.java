/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.RouteContextList;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The broker's storage behind the last gate: a message for a protected address that was not judged before is judged
 * here, or is not stored. A proxy, as the interface has some hundred methods and differs from version to version.
 */
public class StorageGate implements InvocationHandler {
    private static final Object[] NONE = {};

    private final StorageManager real;
    private final StorageMethods methods;
    private final Gate gate;
    private final StorageManager proxy;

    /**
     * A gate in front of a storage.
     *
     * @param gate judges the messages
     */
    public StorageGate(StorageManager real, StorageMethods methods, Gate gate) {
        this.real = real;
        this.methods = methods;
        this.gate = gate;
        this.proxy = (StorageManager) Proxy.newProxyInstance(
                StorageManager.class.getClassLoader(), new Class<?>[] {StorageManager.class}, this);
    }

    /** Judges messages that reach the storage. Throws the exception that rejects the message. */
    public interface Gate {
        /** A message that is to be stored or kept in memory; nothing was done with it yet. */
        void offered(Message message, @Nullable PagingStore store, @Nullable Transaction transaction) throws Exception;

        /** Where a message goes that was offered: queues that it must not go to are taken away. */
        void routed(Message message, RouteContextList queues) throws Exception;

        /** A message that is being stored: it can be rejected, and not be changed any more. */
        void stored(Message message) throws Exception;
    }

    /** The storage behind a proxy of this class, or the storage itself. */
    public static StorageManager unwrapped(StorageManager storage) {
        return Proxy.isProxyClass(storage.getClass()) && Proxy.getInvocationHandler(storage) instanceof StorageGate gate
                ? gate.real()
                : storage;
    }

    public StorageManager proxy() {
        return proxy;
    }

    public StorageManager real() {
        return real;
    }

    @Override
    public final @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        StorageMethods.Role role = methods.of(method);
        if (method.getDeclaringClass() == Object.class && method.getName().equals("equals")) {
            return arguments != null && self == arguments[0];
        }
        if (role == StorageMethods.Role.OTHER) {
            return pass(method, arguments);
        }
        return invoke(role, method, arguments == null ? NONE : arguments);
    }

    /** Runs the method by its role. */
    @Nullable
    public Object invoke(StorageMethods.Role role, Method method, @Nullable Object[] arguments) throws Throwable {
        switch (role) {
            case OFFER_TO_PAGE -> {
                gate.offered((Message) arguments[1], (PagingStore) arguments[0], (Transaction) arguments[2]);
                gate.routed((Message) arguments[1], (RouteContextList) arguments[3]);
            }
            case STORE, UNKNOWN -> requireJudged(arguments);
            default -> {
                // no message comes to the storage by it
            }
        }
        return pass(method, arguments);
    }

    private void requireJudged(@Nullable Object[] arguments) throws Exception {
        for (Object argument : arguments) {
            if (argument instanceof Message message) {
                gate.stored(message);
            }
        }
    }

    @Nullable
    public final Object pass(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
