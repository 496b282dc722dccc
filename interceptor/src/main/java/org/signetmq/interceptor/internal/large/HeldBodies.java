/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.crypto.CryptoProviders;

/** The bodies that wait until the broker names the addresses of their messages. Thread-safe. */
final class HeldBodies {
    private final CryptoProviders providers;
    private final Map<Long, Held> held = new ConcurrentHashMap<>();
    private final ReferenceQueue<LargeServerMessage> abandoned = new ReferenceQueue<>();

    /**
     * Makes an empty collection.
     *
     * @param providers encrypt what does not fit into the memory
     */
    HeldBodies(CryptoProviders providers) {
        this.providers = providers;
    }

    /** A body that waits while the broker writes it. The reference ends if the broker gives the message up. */
    private static final class Held extends WeakReference<LargeServerMessage> {
        private final long messageId;
        private final BufferedBody body;

        Held(long messageId, LargeServerMessage message, BufferedBody body, ReferenceQueue<LargeServerMessage> ended) {
            super(message, ended);
            this.messageId = messageId;
            this.body = body;
        }
    }

    /** Begins to buffer the body of a message, and returns the buffer. */
    BufferedBody hold(
            StorageManager storage, long messageId, LargeServerMessage message, BufferBudget.Account account) {
        dropAbandoned();
        BufferedBody body = new BufferedBody(storage, messageId, account, providers);
        held.put(messageId, new Held(messageId, message, body, abandoned));
        return body;
    }

    /**
     * Drops the bodies of messages that the broker gave up. A federation that loses its connection within a message
     * does not delete it.
     */
    private void dropAbandoned() {
        for (Reference<?> ended = abandoned.poll(); ended != null; ended = abandoned.poll()) {
            if (ended instanceof Held given && held.remove(given.messageId, given)) {
                given.body.drop();
            }
        }
    }

    /** Returns the body of a message; null if it does not wait. */
    @Nullable
    BufferedBody find(long messageId) {
        return body(held.get(messageId));
    }

    /** Ends the wait of a body, and returns it; null if it does not wait. */
    @Nullable
    BufferedBody remove(long messageId) {
        return body(held.remove(messageId));
    }

    private static @Nullable BufferedBody body(@Nullable Held held) {
        return held == null ? null : held.body;
    }

    int count() {
        return held.size();
    }
}
