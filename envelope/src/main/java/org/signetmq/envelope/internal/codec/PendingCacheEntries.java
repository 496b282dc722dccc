/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import java.util.ArrayList;
import java.util.List;

/**
 * The cache entries that a message made before its end was verified, because its later segments need them. If a segment
 * is rejected, they are removed. Thread-safe.
 */
public class PendingCacheEntries {
    /** For messages that were verified to the end: their entries stay. */
    public static final PendingCacheEntries ACCEPTED = new PendingCacheEntries(true);

    private final boolean accepted;
    private final List<Runnable> forgetting = new ArrayList<>(); // guarded by this

    public PendingCacheEntries() {
        this(false);
    }

    private PendingCacheEntries(boolean accepted) {
        this.accepted = accepted;
    }

    /**
     * Adds the action that removes a cache entry, and that must not throw. The caller adds it before it makes the
     * entry.
     */
    public synchronized void add(Runnable forget) {
        if (!accepted) {
            forgetting.add(forget);
        }
    }

    /** Keeps all entries: the message was verified to its end. */
    public synchronized void keepAll() {
        forgetting.clear();
    }

    /** Removes all entries: the message was rejected. */
    public synchronized void forgetAll() {
        forgetting.forEach(Runnable::run);
        forgetting.clear();
    }
}
