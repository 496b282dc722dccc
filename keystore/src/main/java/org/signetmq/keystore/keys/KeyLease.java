/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.keys.KeyWrapping.PreparedKey;

/**
 * The right to encrypt one message under a data key, with a nonce that no other message has under that key. The caller
 * closes it. For one thread.
 */
public final class KeyLease implements AutoCloseable {
    /** The length of a nonce of AES-GCM in bytes (RFC 5084). */
    public static final int NONCE_LENGTH = 12;

    /** The owner of a key, which counts the leases. */
    public interface Owner {
        /** Takes back a lease. */
        void giveBack();
    }

    private final DataKey key;
    private final byte[] wrapped;
    private final byte[] nonce;
    private final @Nullable Owner owner;
    private boolean closed;

    /** Creates a lease that the owner has counted; without an owner, the key has counted it. */
    public KeyLease(PreparedKey prepared, int noncePrefix, long counter, @Nullable Owner owner) {
        this.key = prepared.key();
        this.wrapped = prepared.wrapped();
        this.nonce = ByteBuffer.allocate(NONCE_LENGTH)
                .putInt(noncePrefix)
                .putLong(counter)
                .array();
        this.owner = owner;
    }

    /** Returns the data key. */
    public DataKey key() {
        return key;
    }

    /** Returns the recipient infos of {@link KeyWrapping}. The array is shared, and must not change. */
    public byte[] wrapped() {
        return wrapped;
    }

    /** Returns the nonce: 32 random bits of the key, and a 64-bit counter. The array must not change. */
    public byte[] nonce() {
        return nonce;
    }

    /** Ends the lease. A second call has no effect. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (owner == null) {
                key.release();
            } else {
                owner.giveBack();
            }
        }
    }
}
