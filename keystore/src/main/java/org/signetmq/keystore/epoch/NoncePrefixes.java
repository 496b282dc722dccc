/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.signetmq.keystore.crypto.CryptoProviders;

/**
 * Draws the first 32 bits of the nonces of a key at its first use. It mixes time and process into a random number. So
 * two copies of one machine draw different prefixes, also with the same state of the random generator. Thread-safe.
 */
final class NoncePrefixes {
    private static final long PROCESS = ProcessHandle.current().pid();

    private final IntSupplier random;
    private final LongSupplier nanoTime;
    private final LongSupplier wallMillis;

    NoncePrefixes(IntSupplier random, LongSupplier nanoTime, LongSupplier wallMillis) {
        this.random = random;
        this.nanoTime = nanoTime;
        this.wallMillis = wallMillis;
    }

    static NoncePrefixes ofMachine(CryptoProviders providers) {
        return new NoncePrefixes(() -> providers.random().nextInt(), System::nanoTime, System::currentTimeMillis);
    }

    /** Draws a prefix. The mixed value only changes a random number, so the prefix is no easier to guess. */
    int draw() {
        long mixed = mix(mix(mix(PROCESS) + nanoTime.getAsLong()) + wallMillis.getAsLong());
        return random.getAsInt() ^ (int) (mixed >>> 32);
    }

    /** Makes each bit of the result depend on each bit of the value (the finalizer of SplitMix64). */
    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
