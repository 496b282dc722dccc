/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.security.PublicKey;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;

/** A private key that takes at least a given time for each operation, as a slow token does. It counts operations. */
record SlowedKey(PrivateKeyOperations key, Duration time, LongAdder operations) implements PrivateKeyOperations {
    @Override
    public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
        long end = end();
        byte[] signed = key.sign(scheme, digest, bytes);
        await(end);
        return signed;
    }

    @Override
    public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
        long end = end();
        byte[] unwrapped = key.unwrap(padding, wrapped);
        await(end);
        return unwrapped;
    }

    @Override
    public byte @Nullable [] agree(PublicKey other) {
        long end = end();
        byte[] agreed = key.agree(other);
        await(end);
        return agreed;
    }

    private long end() {
        operations.increment();
        return System.nanoTime() + time.toNanos();
    }

    private static void await(long end) {
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
