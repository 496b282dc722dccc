/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The right to encrypt one message under a data key, with a nonce that no other message has under it. Close it when the
 * message is encrypted. For one thread.
 */
public final class KeyLease implements AutoCloseable {
    /** Nonces of AES-GCM in CMS: 12 bytes (RFC 5084). */
    public static final int NONCE_LENGTH = 12;

    /** Counts the uses of a key that it issued. */
    public interface Owner {
        /** A use is over. */
        void giveBack();
    }

    private final DataKey key;
    private final byte[] wrapped;
    private final int noncePrefix;
    private final long counter;
    private final @Nullable Owner owner;
    private boolean closed;

    /** A use that was counted in at the key, or by its owner. */
    public KeyLease(PreparedKey prepared, int noncePrefix, long counter, @Nullable Owner owner) {
        this.key = prepared.key();
        this.wrapped = prepared.wrapped();
        this.noncePrefix = noncePrefix;
        this.counter = counter;
        this.owner = owner;
    }

    /** The data key. */
    public DataKey key() {
        return key;
    }

    /** The result of {@link KeyWrapping} for the recipients. Shared: not to be changed. */
    public byte[] wrapped() {
        return wrapped;
    }

    /** The nonce: 32 bits drawn at the first use of the key, and a 64-bit counter. */
    public byte[] nonce() {
        return ByteBuffer.allocate(NONCE_LENGTH)
                .putInt(noncePrefix)
                .putLong(counter)
                .array();
    }

    /** Harmless when repeated: a second release would wipe the key under another user. */
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
