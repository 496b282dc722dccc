/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.KeyLease;
import org.signetmq.keystore.crypto.PreparedKey;
import org.signetmq.keystore.epoch.ClockJumpDetector.Moment;

/** Two copies of one machine: the same keys, and the same state of the random generator. */
final class NoncePrefixesTest {
    private static final EpochLimits LIMITS = new EpochLimits(100, 1L << 46, Duration.ofMinutes(10));
    private static final int DRAWS = 10_000;

    private static IntSupplier sameRandom() {
        return new Random(42)::nextInt;
    }

    @Test
    void copies_usedAtOtherTimes_drawOtherPrefixes() {
        AtomicLong nanos = new AtomicLong();
        AtomicLong millis = new AtomicLong();
        NoncePrefixes original = new NoncePrefixes(sameRandom(), () -> 77, () -> 1_000);
        NoncePrefixes laterByANano = new NoncePrefixes(sameRandom(), () -> 78, () -> 1_000);
        NoncePrefixes anotherHour = new NoncePrefixes(sameRandom(), () -> 77, () -> 3_601_000);
        NoncePrefixes thirdCopy = new NoncePrefixes(sameRandom(), nanos::incrementAndGet, millis::incrementAndGet);

        for (int i = 0; i < DRAWS; i++) {
            int prefix = original.draw();
            assertThat(laterByANano.draw()).isNotEqualTo(prefix);
            assertThat(anotherHour.draw()).isNotEqualTo(prefix);
            assertThat(thirdCopy.draw()).isNotEqualTo(prefix);
        }
    }

    @Test
    void prefix_staysRandom_whenTimeStandsStill() {
        NoncePrefixes prefixes = new NoncePrefixes(new Random(1)::nextInt, () -> 5, () -> 5);

        assertThat(java.util.stream.IntStream.generate(prefixes::draw)
                        .limit(1000)
                        .distinct()
                        .count())
                .isGreaterThan(990);
    }

    /** The oracle is the JDK's generator that has the same finalizer. */
    @Test
    void prefix_isTheRandomNumber_mixedWithProcessAndTimes() {
        long seed = new Random().nextLong();
        Random inputs = new Random(seed);
        for (int i = 0; i < DRAWS; i++) {
            int random = inputs.nextInt();
            long nanos = inputs.nextLong();
            long millis = inputs.nextLong();
            long process = splitMix(ProcessHandle.current().pid());
            int mixed = (int) (splitMix(splitMix(process + nanos) + millis) >>> 32);

            assertThat(new NoncePrefixes(() -> random, () -> nanos, () -> millis).draw())
                    .as("seed %d", seed)
                    .isEqualTo(random ^ mixed);
        }
    }

    private static long splitMix(long value) {
        return new SplittableRandom(value).nextLong();
    }

    @Test
    void copiesOfOneUnusedKey_haveNoNonceInCommon() {
        CryptoProviders providers = CryptoProviders.standard();
        PreparedKey key = PreparedKey.generate(providers, new FakeWrapping());
        int original = new NoncePrefixes(sameRandom(), () -> 77, () -> 1_000).draw();
        int copy = new NoncePrefixes(sameRandom(), () -> 79, () -> 1_000).draw();
        SharedDataKey onOriginal = new SharedDataKey(key, LIMITS, new Moment(0, 0), original);
        SharedDataKey onCopy = new SharedDataKey(key, LIMITS, new Moment(0, 0), copy);

        assertThat(nonce(onOriginal)).isNotEqualTo(nonce(onCopy));
    }

    private static ByteBuffer nonce(SharedDataKey key) {
        KeyLease use = java.util.Objects.requireNonNull(key.next(1, 0, 0));
        return ByteBuffer.wrap(use.nonce());
    }
}
