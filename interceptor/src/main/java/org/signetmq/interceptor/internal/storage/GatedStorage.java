/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import java.util.List;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.RouteContextList;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The base of the classes that {@link GatedStorageWriter} writes. Their methods call those of this class. A gated
 * storage equals only itself.
 */
abstract class GatedStorage {
    /** The storage behind the gate, which written methods call directly. */
    final StorageManager real;

    private final StorageGate gate;
    private final List<StorageCall> calls;

    GatedStorage(StorageGate gate, List<StorageCall> calls) {
        this.real = gate.real();
        this.gate = gate;
        this.calls = calls;
    }

    final StorageGate gate() {
        return gate;
    }

    /** Judges a message before the broker pages it, stores it or keeps it in memory. */
    final void offer(
            @Nullable PagingStore store, Message message, @Nullable Transaction transaction, RouteContextList queues)
            throws Exception {
        gate.judge().offered(message, store, transaction);
        gate.judge().routed(message, queues);
    }

    /** Judges the argument of a method that stores, if it is a message. */
    final void store(@Nullable Object argument) throws Exception {
        if (argument instanceof Message message) {
            gate.judge().stored(message);
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
