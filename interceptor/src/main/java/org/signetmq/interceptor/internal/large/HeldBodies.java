/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.keystore.crypto.CryptoProviders;

/** The bodies that wait until the broker names the addresses of their messages. Thread-safe. */
final class HeldBodies {
    private final CryptoProviders providers;
    private final Map<Long, Held> held = new ConcurrentHashMap<>();

    /** The complete bodies that were handed to their messages. The broker may give these up without a word, too. */
    private final Set<Held> handed = ConcurrentHashMap.newKeySet();

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

    /**
     * Checks that a body cannot be copied before it is judged.
     *
     * @throws MessageRejectedException if this version of the broker copies large messages in another way
     */
    void requireCopiesAreSeen() throws MessageRejectedException {
        BufferedBodyFile.requireCopiesAreSeen(providers);
    }

    /** Begins to buffer the body of a message, and returns the buffer. */
    BufferedBody hold(
            StorageManager storage, long messageId, LargeServerMessage message, BufferBudget.Account account) {
        BufferedBody body = new BufferedBody(storage, messageId, account, providers);
        held.put(messageId, new Held(messageId, message, body, abandoned));
        return body;
    }

    /**
     * Drops the bodies of messages that the broker gave up, and those to which nothing came for ten minutes. The broker
     * does not delete the message of a federation that loses its connection. Nor does it delete a message of AMQP if
     * the session ends before the connection has read the frames that have arrived: they begin another message, which
     * has no end.
     */
    void sweep() {
        long now = System.nanoTime();
        for (Held one : held.values()) {
            if (one.body.isIdle(now)) {
                end(one.body::giveUp);
            }
        }
        handed.removeIf(one -> one.body.isWritten());
        for (Reference<?> ended = abandoned.poll(); ended != null; ended = abandoned.poll()) {
            if (ended instanceof Held given && (held.remove(given.messageId, given) || handed.remove(given))) {
                end(given.body::abandon);
            }
        }
    }

    /** Ends one body. A failure, such as no memory, must not end the task that ends the others. */
    private static void end(Runnable end) {
        try {
            end.run();
        } catch (Throwable e) {
            PluginLog.LOG.warn("a large message that the broker gave up could not be dropped", e);
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

    /**
     * Hands the complete body to its message.
     *
     * @return whether the body waited
     */
    boolean handTo(LargeServerMessage message) throws Exception {
        Held given = held.remove(message.toMessage().getMessageID());
        if (given == null) {
            return false;
        }
        handed.add(given);
        given.body.handTo(message);
        return true;
    }

    private static @Nullable BufferedBody body(@Nullable Held held) {
        return held == null ? null : held.body;
    }

    int count() {
        return held.size();
    }
}
