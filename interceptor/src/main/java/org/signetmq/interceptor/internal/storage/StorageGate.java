/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.RouteContextList;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * Calls a gate before messages reach the broker's storage. This is a proxy, because the interface has more than a
 * hundred methods and differs between versions of the broker.
 */
public class StorageGate implements InvocationHandler {
    private static final Object[] NONE = {};

    private final StorageManager real;
    private final Map<Method, StorageCall> calls;
    private final Gate gate;
    private final StorageManager proxy;

    /**
     * Makes a proxy for a storage.
     *
     * @param gate judges the messages
     * @throws IllegalStateException if a method of the storage cannot be called
     */
    public StorageGate(StorageManager real, StorageMethods methods, Gate gate) {
        this.real = real;
        this.calls = methods.callsOf(real);
        this.gate = gate;
        this.proxy = (StorageManager) Proxy.newProxyInstance(
                StorageManager.class.getClassLoader(), new Class<?>[] {StorageManager.class}, this);
    }

    /** Judges messages before the storage. It throws the exception that rejects a message. */
    public interface Gate {
        /** Judges a message before the broker stores it or keeps it in memory. The gate may change the message. */
        void offered(Message message, @Nullable PagingStore store, @Nullable Transaction transaction) throws Exception;

        /** Removes queues that must not receive an offered message. */
        void routed(Message message, RouteContextList queues) throws Exception;

        /** Judges a message that the broker stores. The gate may reject it, and must not change it. */
        void stored(Message message) throws Exception;
    }

    /** Returns the storage behind a proxy of this class, or the given storage. */
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
        StorageCall call = calls.get(method);
        if (call == null) {
            return ofAnyObject(self, method, arguments);
        }
        return call.role() == StorageMethods.Role.OTHER
                ? call.pass(arguments)
                : invoke(call, arguments == null ? NONE : arguments);
    }

    /** Handles a method that every object has. A proxy equals only itself. */
    private @Nullable Object ofAnyObject(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("equals")) {
            return arguments != null && self == arguments[0];
        }
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** Handles a call by the role of its method. */
    @Nullable
    public Object invoke(StorageCall call, @Nullable Object[] arguments) throws Throwable {
        switch (call.role()) {
            case OFFER_TO_PAGE -> {
                gate.offered((Message) arguments[1], (PagingStore) arguments[0], (Transaction) arguments[2]);
                gate.routed((Message) arguments[1], (RouteContextList) arguments[3]);
            }
            case STORE, UNKNOWN -> requireJudged(arguments);
            default -> {
                // the method passes no message
            }
        }
        return call.pass(arguments);
    }

    private void requireJudged(@Nullable Object[] arguments) throws Exception {
        for (Object argument : arguments) {
            if (argument instanceof Message message) {
                gate.stored(message);
            }
        }
    }
}
