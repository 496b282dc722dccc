/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.KeyEncryptionKey;
import org.signetmq.keystore.keys.OpenedKeys;

/** The data key of a message that is opened. Only an accepted message keeps it in the cache. */
public final class OpenedDataKey implements AutoCloseable {
    private final OpenedKeys.Lease<DataKey> lease;
    private final OpenedKeys.@Nullable Lease<KeyEncryptionKey> agreement;
    private @Nullable BiConsumer<OpenedKeys.Lease<DataKey>, PendingCacheEntries> ifShared;
    private boolean servesOneMessage;

    OpenedDataKey(OpenedKeys.Lease<DataKey> lease, OpenedKeys.@Nullable Lease<KeyEncryptionKey> agreement) {
        this.lease = lease;
        this.agreement = agreement;
    }

    /** Sets an action for an accepted key that an earlier message used already. */
    void ifShared(BiConsumer<OpenedKeys.Lease<DataKey>, PendingCacheEntries> action) {
        ifShared = action;
    }

    public DataKey key() {
        return lease.key();
    }

    /** Keeps the key out of the cache, because no other message uses it. */
    void servesOneMessage() {
        servesOneMessage = true;
    }

    /** Remembers the key, because the message is verified so far. */
    public void accept(PendingCacheEntries kept) {
        if (agreement != null) {
            accept(agreement, kept);
        }
        if (servesOneMessage) {
            return;
        }
        boolean second = !lease.isUnwrappedNow(); // the first message may be the only one under its key
        accept(lease, kept);
        if (second && ifShared != null) {
            ifShared.accept(lease, kept);
        }
    }

    private static void accept(OpenedKeys.Lease<?> lease, PendingCacheEntries kept) {
        if (!lease.isAccepted()) {
            kept.add(lease::forget); // first: no failure leaves the key behind
            boolean unused = lease.accept();
        }
    }

    @Override
    public void close() {
        if (agreement != null) {
            agreement.close();
        }
        lease.close();
    }
}
