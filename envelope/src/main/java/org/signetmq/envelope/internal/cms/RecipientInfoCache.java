/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.OpenedKeys;

/**
 * Recipient infos of recently accepted messages, with the lease of their data key. Messages under one data key have the
 * same recipient infos. It holds no secret, because the cache of keys owns and wipes the keys. Bounded in bytes.
 * Thread-safe.
 */
public final class RecipientInfoCache {
    /** The number of slots, a power of two. Interleaved producers mostly get a slot each. */
    private static final int SLOTS = 1024;

    private final AtomicReferenceArray<@Nullable Known> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicInteger bytes = new AtomicInteger();

    /**
     * Known recipient infos.
     *
     * @param encoded all of them, in an array of the cache
     * @param legacy one of them under old algorithms, or none; readers judge each envelope by it
     * @param sender the sender that they claim, or null
     * @param lease the lease of the data key, from its last lookup
     */
    public record Known(
            byte[] encoded,
            List<RecipientInfo> legacy,
            @Nullable SenderKey sender,
            OpenedKeys.Lease<DataKey> lease) {}

    /** Finds recipient infos of exactly these bytes. Returns null if none of an accepted message are known. */
    public @Nullable Known find(Slice recipientInfos) {
        Known known = slots.get(slot(recipientInfos));
        return known != null && recipientInfos.contentEquals(known.encoded()) ? known : null;
    }

    /**
     * Keeps the recipient infos of a message with the last lease of their key, in place of others.
     *
     * @param undo takes the action that removes a new entry, before the entry is made: no failure leaves it behind
     */
    public void remember(ParsedEnvelope.Encrypted envelope, OpenedKeys.Lease<DataKey> lease, Consumer<Runnable> undo) {
        Slice recipientInfos = envelope.recipientInfos();
        Known same = find(recipientInfos);
        if (same != null) {
            // never a new entry, which a rejected message would have to remove
            Known again = new Known(same.encoded(), same.legacy(), same.sender(), lease);
            boolean unused = slots.compareAndSet(slot(recipientInfos), same, again);
            return;
        }
        if (recipientInfos.length() > Limits.KNOWN_RECIPIENTS) {
            return;
        }
        byte[] copy = recipientInfos.copy(); // so that the cache does not keep the whole message
        List<RecipientInfo> legacy = List.of();
        for (RecipientInfo entry : envelope.recipients()) {
            if (entry.isLegacy()) {
                legacy = List.of(moved(entry, recipientInfos, copy));
                break;
            }
        }
        Known made = new Known(copy, legacy, envelope.sender(), lease);
        undo.accept(() -> forget(made));
        put(made);
    }

    /** Removes recipient infos of a message that was rejected after all. */
    private void forget(Known rejected) {
        int slot = slot(Slice.of(rejected.encoded()));
        Known now = slots.get(slot);
        if (now != null && Arrays.equals(now.encoded(), rejected.encoded()) && slots.compareAndSet(slot, now, null)) {
            bytes.addAndGet(-now.encoded().length);
        }
    }

    private void put(Known made) {
        Known before = slots.getAndSet(slot(Slice.of(made.encoded())), made);
        int added = made.encoded().length - (before == null ? 0 : before.encoded().length);
        if (bytes.addAndGet(added) > Limits.ALL_KNOWN_RECIPIENTS) {
            clear();
        }
    }

    private void clear() {
        for (int i = 0; i < SLOTS; i++) {
            Known gone = slots.getAndSet(i, null);
            if (gone != null) {
                bytes.addAndGet(-gone.encoded().length);
            }
        }
    }

    /** Parses the same recipient info in a copy of all. */
    private static RecipientInfo moved(RecipientInfo entry, Slice all, byte[] copy) {
        Slice whole = entry.whole();
        return RecipientInfoParser.one(new Slice(copy, whole.offset() - all.offset(), whole.length()));
    }

    /** The bytes of all recipient infos in this cache. */
    public int bytes() {
        return bytes.get();
    }

    /** The slot by the last bytes, which belong to a wrapped key and are as good as random. */
    private static int slot(Slice recipientInfos) {
        int end = recipientInfos.offset() + recipientInfos.length();
        int hash = 0;
        for (int i = Math.max(recipientInfos.offset(), end - Integer.BYTES); i < end; i++) {
            hash = 31 * hash + recipientInfos.array()[i];
        }
        return hash & (SLOTS - 1);
    }
}
