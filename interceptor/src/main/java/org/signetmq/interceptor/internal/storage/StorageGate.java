/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.RouteContextList;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;

/** Calls a gate before messages reach the broker's storage. Thread-safe if the gate is. */
public class StorageGate {
    private final StorageManager real;
    private final Gate judge;
    private final StorageManager gated;

    /**
     * Makes a gate for a storage.
     *
     * @param judge judges the messages
     * @throws IllegalStateException if a method of the storage cannot be called
     */
    public StorageGate(StorageManager real, StorageMethods methods, Gate judge) {
        this.real = real;
        this.judge = judge;
        this.gated = GatedStorageWriter.write(this, methods);
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

    /** Returns the gate of a storage; null if it has none. */
    public static @Nullable StorageGate of(StorageManager storage) {
        return storage instanceof Gated gated ? gated.gate : null;
    }

    /** Returns the storage of an object of the broker, without a gate that stands before it. */
    public static StorageManager behind(Object owner) throws Exception {
        StorageManager storage = BrokerField.of(owner, StorageManager.class).get();
        StorageGate gate = of(storage);
        return gate == null ? storage : gate.real();
    }

    /** Puts the gate before the storage in this object of the broker. */
    public final void putInto(Object owner) throws Exception {
        BrokerField.of(owner, StorageManager.class).set(gated);
    }

    /** Removes the gate from this object of the broker, if it still stands there. */
    public final void takeFrom(Object owner) {
        try {
            BrokerField<StorageManager> field = BrokerField.of(owner, StorageManager.class);
            if (field.get() == gated) {
                field.set(real);
            }
        } catch (Throwable e) {
            PluginLog.LOG.warn("Signet's gate before the broker's storage could not be removed", e);
        }
    }

    /** Returns the storage behind the gate. */
    public final StorageManager real() {
        return real;
    }

    /** Returns what the broker uses in place of its storage. */
    public final StorageManager gated() {
        return gated;
    }

    /** Returns the greatest length of a record, in bytes. Longer messages are large ones. */
    protected long largestRecord() {
        return real.getMaxRecordSize();
    }

    /** Handles a call for a large message. */
    protected @Nullable Object invoke(Call call, @Nullable Object[] arguments) throws Throwable {
        return call.pass(arguments);
    }

    /** Calls one method of a storage for large messages, and knows the role of the method. Immutable. */
    public static final class Call {
        private static final MethodType TYPE = MethodType.methodType(Object.class, Object[].class);

        private final StorageMethods.Role role;
        private final MethodHandle handle;

        /**
         * Prepares the calls of a method of this storage.
         *
         * @throws IllegalStateException if this class may not call the method
         */
        Call(StorageManager storage, Method method, StorageMethods.Role role) {
            try {
                this.role = role;
                this.handle = MethodHandles.lookup()
                        .unreflect(method)
                        .bindTo(storage)
                        .asSpreader(Object[].class, method.getParameterCount())
                        .asType(TYPE);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("storage: " + method + " cannot be called", e);
            }
        }

        /** Returns the role of the method. */
        public StorageMethods.Role role() {
            return role;
        }

        /** Calls the method, and returns its result. It throws the exceptions of the storage unchanged. */
        public @Nullable Object pass(@Nullable Object[] arguments) throws Throwable {
            return (Object) handle.invokeExact(arguments);
        }
    }

    /**
     * The base of the classes that {@link GatedStorageWriter} writes. Their methods call those of this class. A gated
     * storage equals only itself.
     */
    abstract static class Gated {
        /** The storage behind the gate, which written methods call directly. */
        final StorageManager real;

        private final StorageGate gate;
        private final List<Call> calls;

        Gated(StorageGate gate, List<Call> calls) {
            this.real = gate.real;
            this.gate = gate;
            this.calls = calls;
        }

        /** Judges a message before the broker pages it, stores it or keeps it in memory. */
        final void offer(
                @Nullable PagingStore store,
                Message message,
                @Nullable Transaction transaction,
                RouteContextList queues)
                throws Exception {
            gate.judge.offered(message, store, transaction);
            gate.judge.routed(message, queues);
        }

        /** Judges the argument of a method that stores, if it is a message. */
        final void store(@Nullable Object argument) throws Exception {
            if (argument instanceof Message message) {
                gate.judge.stored(message);
            }
        }

        /** Returns the greatest length of a record, in bytes. */
        final long largestRecord() {
            return gate.largestRecord();
        }

        /**
         * Calls a method for large messages.
         *
         * @param call its place in the list of calls
         */
        final @Nullable Object invoke(int call, @Nullable Object[] arguments) throws Throwable {
            return gate.invoke(calls.get(call), arguments);
        }

        @Override
        public final boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public final int hashCode() {
            return real.hashCode();
        }

        @Override
        public final String toString() {
            return real.toString();
        }
    }
}
