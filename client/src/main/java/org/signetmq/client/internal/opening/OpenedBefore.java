/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.ReplayedException;

/**
 * Recognises messages that the consumers of a connection factory opened before, within the replay windows of their
 * policies. A message that went back to the broker was not opened. The memory is bounded: it forgets the oldest. It
 * begins empty, so it knows nothing of the time before the program was started. Thread-safe.
 */
public final class OpenedBefore {
    /** The greatest number of messages in memory. */
    static final int MOST = 100_000;

    private final LongSupplier nanoTime;
    private final Map<Key, Opened> messages = new LinkedHashMap<>(); // guarded by this

    OpenedBefore() {
        this(System::nanoTime);
    }

    OpenedBefore(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A message of a queue, or of one consumer of a topic. */
    private record Key(Object scope, String messageId) {}

    /** A message that a consumer opened. */
    public final class Opened {
        private final Key key;
        private final long end;

        /** Tells whether the connection was closed, so that the message went back; null after it was settled. */
        private volatile @Nullable BooleanSupplier closed;

        /** Whether another message of the same identifier was refused, and the broker may deliver that one again. */
        private boolean refusedAnother;

        private Opened(Key key, long end, BooleanSupplier closed) {
            this.key = key;
            this.end = end;
            this.closed = closed;
        }

        /** Notes that the message was acknowledged, so that it cannot go back any more. */
        public void settle() {
            closed = null;
        }

        private boolean counts(long now) {
            BooleanSupplier unsettled = closed;
            return end - now > 0 && (unsettled == null || !unsettled.getAsBoolean());
        }

        /** Forgets the message, because it goes back to the broker. */
        public void forget() {
            synchronized (OpenedBefore.this) {
                boolean unused = messages.remove(key, this);
            }
        }
    }

    /**
     * Remembers a message that was opened.
     *
     * @param scope the name of a queue, or an object for one consumer of a topic
     * @param redelivered whether the broker says that it delivered the message before, as after a lost connection
     * @param closed tells whether the connection was closed
     * @throws ReplayedException if such a message was opened within the window, and this is another one
     */
    synchronized Opened opened(
            Object scope, String messageId, Duration window, boolean redelivered, BooleanSupplier closed) {
        long now = nanoTime.getAsLong();
        Key key = new Key(scope, messageId);
        Opened known = messages.get(key);
        if (known != null && known.counts(now)) {
            if (!redelivered || known.refusedAnother) {
                known.refusedAnother = true;
                throw new ReplayedException("envelope: a message of this Message-ID was opened here before, within the"
                        + " replay-window of its policy, and the broker did not deliver that one again");
            }
        }
        makeRoom(now);
        Opened opened = new Opened(key, now + window.toNanos(), closed);
        messages.remove(key); // the order is that of insertion
        messages.put(key, opened);
        return opened;
    }

    private void makeRoom(long now) {
        Iterator<Opened> oldest = messages.values().iterator();
        while (oldest.hasNext() && (oldest.next().end - now <= 0 || messages.size() >= MOST)) {
            oldest.remove();
        }
    }
}
