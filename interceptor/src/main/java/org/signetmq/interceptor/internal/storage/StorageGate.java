/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.RouteContextList;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;

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
        return storage instanceof GatedStorage gated ? gated.gate() : null;
    }

    /** Returns the storage behind a gate, or the given storage. */
    public static StorageManager unwrapped(StorageManager storage) {
        StorageGate gate = of(storage);
        return gate == null ? storage : gate.real();
    }

    /** Returns the storage behind the gate. */
    public final StorageManager real() {
        return real;
    }

    /** Returns what the broker uses in place of its storage. */
    public final StorageManager gated() {
        return gated;
    }

    final Gate judge() {
        return judge;
    }

    /** Returns the greatest length of a record, in bytes. Longer messages are large ones. */
    protected long largestRecord() {
        return real.getMaxRecordSize();
    }

    /** Handles a call for a large message. */
    protected @Nullable Object invoke(StorageCall call, @Nullable Object[] arguments) throws Throwable {
        return call.pass(arguments);
    }
}
