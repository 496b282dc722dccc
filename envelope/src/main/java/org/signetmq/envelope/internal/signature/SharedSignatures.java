/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.HashList;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * Lets messages that are sealed at the same time share one signature, as a database groups commits. The first message
 * opens a group and waits a moment for others. The message that completes the group signs for all; if none does, the
 * first one signs. A message that finds no other in work signs alone, and does not wait. Thread-safe.
 */
public final class SharedSignatures {
    /** The longest time that a group stays open. */
    private static final long LONGEST_WAIT = TimeUnit.MILLISECONDS.toNanos(1);

    /** The time after a group in which other messages are expected. */
    private static final long RECENT = TimeUnit.MILLISECONDS.toNanos(10);

    /** The complete groups in a row after which a larger one is tried; and the most, after trials in vain. */
    private static final int PATIENCE = 2;

    private static final int MOST_PATIENCE = 64;

    /** The most messages that do not wait after groups of one. */
    private static final int MOST_AT_ONCE = 63;

    private final SignerProfile signer;
    private int alone; // messages that sign alone now; this and the rest guarded by this
    private int expected = 1; // messages of the next group, if the last one ended lately
    private long ended;
    private int complete; // groups in a row
    private int patience = PATIENCE;
    private int atOnce; // messages that sign alone although others are in work
    private int vain; // the last value of it; 0 after a group of three
    private @Nullable Group open;

    SharedSignatures(SignerProfile signer) {
        this.signer = signer;
    }

    /**
     * Returns whether a message signs alone, because no other is in work, or waiting was in vain lately. It then calls
     * {@link #endAlone}.
     */
    public synchronized boolean beginAlone() {
        if (open != null || (expected > 1 && System.nanoTime() - ended <= RECENT) || (alone > 0 && atOnce == 0)) {
            return false;
        }
        if (alone > 0) {
            atOnce--;
        }
        alone++;
        return true;
    }

    public synchronized void endAlone() {
        alone--;
    }

    /**
     * Signs for a message and others.
     *
     * @param hash SHA-256 of the entity
     * @param length the length of the entity in bytes
     * @return null if there is no other message: it signs alone, and then calls {@link #endAlone}
     * @throws KeystoreUnusableException if the key cannot sign, for each message of the group
     */
    public @Nullable SignedDataWriter join(byte[] hash, int length, Clock clock) {
        Group group;
        boolean first = false;
        boolean last;
        synchronized (this) {
            Group others = open;
            if (others == null) {
                others = new Group(nextSize());
                first = true;
            }
            group = others;
            if (!group.add(hash)) {
                alone++; // a copy of a message in the group
                return null;
            }
            open = group;
            last = group.hashes.size() == group.wanted && end(group);
        }
        if (last) {
            group.sign(signer, clock);
        } else if (first) {
            waitForOthers(group, clock);
        }
        SignedDataWriter signed = group.await(signer, length);
        if (signed == null) {
            synchronized (this) {
                alone++;
            }
        }
        return signed;
    }

    /** Waits until the group is signed, or signs it when its time is over. An interrupt ends the waiting. */
    private void waitForOthers(Group group, Clock clock) {
        boolean interrupted = false;
        try {
            long start = System.nanoTime();
            for (long left = LONGEST_WAIT;
                    group.outcome == null && !interrupted && left > 0;
                    left = LONGEST_WAIT - (System.nanoTime() - start)) {
                LockSupport.parkNanos(group, left);
                interrupted = Thread.interrupted();
            }
        } finally {
            if (end(group)) {
                group.sign(signer, clock);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Lets no more messages into the group. Returns whether this call did so, and the caller signs. */
    private synchronized boolean end(Group group) {
        if (open != group) {
            return false;
        }
        open = null;
        ended = System.nanoTime();
        learn(group.hashes.size(), group.wanted);
        return true;
    }

    /** Returns the size at which the next group is complete: the expected one, or a larger one as a trial. */
    private int nextSize() {
        int larger = complete < patience ? expected : expected + Math.max(1, expected / 2);
        return Math.max(2, Math.min(larger, HashList.MOST_WRITTEN));
    }

    /**
     * Learns from a group. A group that its time ended is small when the messages pause, which they do at each write to
     * the disk: so the expectation falls by steps.
     */
    private void learn(int size, int wanted) {
        if (size == 1) {
            vain = Math.min(MOST_AT_ONCE, 2 * vain + 1);
            atOnce = vain;
        } else if (size > 2) {
            vain = 0;
            atOnce = 0;
        }
        if (size == wanted) {
            patience = wanted > expected ? PATIENCE : patience;
            complete = wanted > expected ? 0 : complete + 1;
            expected = size;
        } else {
            patience = wanted > expected ? Math.min(MOST_PATIENCE, 2 * patience) : patience;
            complete = 0;
            expected = Math.max(size, size == 1 ? expected / 2 : expected - Math.max(1, expected / 4));
        }
    }

    /** The messages that share a signature. */
    private static final class Group {
        private static final Outcome ALONE = new Outcome(null, null, null);

        private final int wanted;
        private final List<byte[]> hashes; // guarded by the owner until the group has ended
        private final List<Thread> members;
        private volatile @Nullable Outcome outcome;

        /** The signature and its list, or the failure; none of them if each message signs alone. */
        private record Outcome(
                byte @Nullable [] list,
                SignerProfile.@Nullable Signature signature,
                @Nullable Throwable failure) {}

        Group(int wanted) {
            this.wanted = wanted;
            this.hashes = new ArrayList<>(wanted);
            this.members = new ArrayList<>(wanted);
        }

        /** Adds a message of this thread. Returns false if it is in the group already. */
        boolean add(byte[] hash) {
            for (byte[] other : hashes) {
                if (Arrays.equals(hash, other)) {
                    return false;
                }
            }
            hashes.add(hash);
            members.add(Thread.currentThread());
            return true;
        }

        /**
         * Signs the list of a group that has ended, and wakes its members. If this thread is interrupted, each member
         * signs alone: a key service may fail for this thread only.
         */
        void sign(SignerProfile signer, Clock clock) {
            boolean interrupted = Thread.interrupted();
            try {
                outcome = hashes.size() == 1 ? ALONE : signed(signer, clock);
            } catch (Throwable failed) { // each member throws
                outcome = Thread.currentThread().isInterrupted() ? ALONE : new Outcome(null, null, failed);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            for (Thread member : members) {
                if (member != Thread.currentThread()) {
                    LockSupport.unpark(member);
                }
            }
        }

        private Outcome signed(SignerProfile signer, Clock clock) {
            byte[] list = HashList.of(hashes);
            byte[] digest = CryptoProviders.digest("SHA-512").digest(list);
            return new Outcome(list, signer.sign(Oids.HASH_LIST, digest, clock.instant()), null);
        }

        /** Returns the signature for one message; null if it signs alone. It waits as long as the key needs. */
        @Nullable
        SignedDataWriter await(SignerProfile signer, int length) {
            boolean interrupted = false;
            Outcome done = outcome;
            while (done == null) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
                done = outcome;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            Throwable failure = done.failure();
            if (failure != null) {
                throw new KeystoreUnusableException(
                        failure instanceof KeystoreUnusableException
                                ? String.valueOf(failure.getMessage())
                                : "identity '" + signer.name() + "': the shared signature failed",
                        failure);
            }
            SignerProfile.Signature signature = done.signature();
            return signature == null ? null : signature.of(done.list(), length);
        }
    }
}
