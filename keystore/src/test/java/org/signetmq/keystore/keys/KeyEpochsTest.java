/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.keys.KeyEpochs.EpochLimits;

final class KeyEpochsTest {
    private static final long MANY = 1L << 32;
    private static final long MANY_BYTES = 1L << 46;
    private static final Duration HOUR = Duration.ofHours(1);

    private final FakeWrapping wrapping = new FakeWrapping();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // wraps around, as nanoTime may

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 32})
    void messageLimit_isExact(long limit) {
        try (KeyEpochs epochs = epochs(new EpochLimits(limit, MANY_BYTES, HOUR))) {
            List<Long> keys = keysOf(epochs, 3 * limit + 1);

            assertThat(keys)
                    .containsExactlyElementsOf(LongStream.rangeClosed(0, 3 * limit)
                            .mapToObj(i -> i / limit)
                            .toList());
            assertThat(epochs.openedEpochs()).isEqualTo(4);
        }
    }

    @Test
    void byteLimit_isExact() {
        try (KeyEpochs epochs = epochs(new EpochLimits(MANY, 100, HOUR))) {
            List<Long> keys = keysOfSizes(epochs, 60, 40, 0, 1, 99, 1, 100, 100);

            assertThat(keys).containsExactly(0L, 0L, 0L, 1L, 1L, 2L, 3L, 4L);
        }
    }

    @Test
    void messageAboveByteLimit_getsKeyOfItsOwn() {
        try (KeyEpochs epochs = epochs(new EpochLimits(MANY, 100, HOUR))) {
            List<Long> keys = keysOfSizes(epochs, 1, 101, 0, 1, Long.MAX_VALUE, Long.MAX_VALUE, 1);

            assertThat(keys).containsExactly(0L, 1L, 2L, 2L, 3L, 4L, 5L);
        }
    }

    @Test
    void ageLimit_isExact() {
        try (KeyEpochs epochs = epochs(new EpochLimits(MANY, MANY_BYTES, Duration.ofNanos(10)))) {
            List<Long> keys = new ArrayList<>(keysOf(epochs, 1));
            now.addAndGet(9);
            keys.addAll(keysOf(epochs, 1));
            now.addAndGet(1);
            keys.addAll(keysOf(epochs, 2));

            assertThat(keys).containsExactly(0L, 0L, 1L, 1L);
        }
    }

    @Test
    void ageOfCenturies_isNoError() {
        try (KeyEpochs epochs = epochs(new EpochLimits(MANY, MANY_BYTES, Duration.ofSeconds(Long.MAX_VALUE)))) {
            assertThat(keysOf(epochs, 2)).containsExactly(0L, 0L);
        }
    }

    @Test
    void oneMessagePerKey_isFreshEachTimeAndWipedAfterUse() {
        try (KeyEpochs epochs = epochs(new EpochLimits(1, MANY_BYTES, HOUR))) {
            List<Long> keys = keysOf(epochs, 5);

            assertThat(keys).containsExactly(0L, 1L, 2L, 3L, 4L);
            assertThat(wrapping.wrapped).hasSize(5).allMatch(KeyInspection::isWiped);
            assertThat(epochs.openedEpochs()).isEqualTo(5);
        }
    }

    @Test
    void noLimitReached_oneKeyServesAll() {
        try (KeyEpochs epochs = epochs(new EpochLimits(MANY, MANY_BYTES, HOUR))) {
            assertThat(new HashSet<>(keysOf(epochs, 100_000))).containsExactly(0L);
        }
    }

    @Test
    void nonces_differUnderOneKeyInTheCounterAlone() {
        try (KeyEpochs epochs = epochs(new EpochLimits(100, MANY_BYTES, HOUR))) {
            Set<String> fixed = new HashSet<>();
            for (int i = 0; i < 100; i++) {
                try (KeyLease use = use(epochs, 1)) {
                    ByteBuffer nonce = ByteBuffer.wrap(use.nonce());
                    fixed.add(Integer.toHexString(nonce.getInt()));

                    assertThat(nonce.getLong()).isEqualTo(i);
                    assertThat(nonce.hasRemaining()).isFalse();
                }
            }
            assertThat(fixed).hasSize(1);
        }
    }

    @Test
    void retiredKey_isWipedWhenItsLastUserIsDoneAndNotBefore() {
        try (KeyEpochs epochs = epochs(new EpochLimits(2, MANY_BYTES, HOUR))) {
            KeyLease first = use(epochs, 1);
            KeyLease second = use(epochs, 1);
            use(epochs, 1).close();

            first.close();
            first.close();
            assertThat(KeyInspection.isWiped(first.key())).isFalse();
            assertThat(KeyInspection.bytes(second.key())).isNotEqualTo(new byte[32]);

            second.close();
            assertThat(KeyInspection.isWiped(second.key())).isTrue();
            assertThatThrownBy(() -> KeyInspection.bytes(second.key())).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void closed_givesNoKeyButLeavesTheUsersTheirs() {
        KeyEpochs epochs = epochs(new EpochLimits(32, MANY_BYTES, HOUR));
        KeyLease use = use(epochs, 1);

        epochs.close();
        epochs.close();

        assertThat(epochs.next(1)).isNull();
        assertThat(KeyInspection.isWiped(use.key())).isFalse();
        assertThat(wrapping.closes).hasValue(1);
        use.close();
        assertThat(KeyInspection.isWiped(use.key())).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void wrappingFails_nothingIsLostAndTheNextAttemptServes(long limit) {
        try (KeyEpochs epochs = epochs(new EpochLimits(limit, MANY_BYTES, HOUR))) {
            keysOf(epochs, limit);
            KeystoreUnusableException failure = new KeystoreUnusableException("recipient: gone");
            wrapping.failWith(failure);

            assertThatThrownBy(() -> epochs.next(1)).isSameAs(failure);
            assertThatThrownBy(() -> epochs.next(1)).isSameAs(failure);
            assertThat(epochs.openedEpochs()).isEqualTo(1);
            wrapping.failWith(null);

            assertThat(keysOf(epochs, limit)).containsOnly(1L);
        }
        assertThat(wrapping.wrapped).allMatch(KeyInspection::isWiped);
    }

    @Test
    void wrappingFailsForLargeMessage_presentKeyStillServesSmallOnes() {
        try (KeyEpochs epochs = epochs(new EpochLimits(4, 100, HOUR))) {
            keysOfSizes(epochs, 10);
            wrapping.failWith(new KeystoreUnusableException("recipient: gone"));

            assertThatThrownBy(() -> epochs.next(91)).isInstanceOf(KeystoreUnusableException.class);

            assertThat(keysOfSizes(epochs, 10, 10, 70)).containsOnly(0L);
            assertThatThrownBy(() -> epochs.next(0)).isInstanceOf(KeystoreUnusableException.class);
        }
    }

    @Test
    void negativeSize_isRejected() {
        try (KeyEpochs epochs = epochs(new EpochLimits(4, 100, HOUR))) {
            assertThatIllegalArgumentException().isThrownBy(() -> epochs.next(-1));
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1, PT1S", "4294967297, 1, PT1S", "1, 0, PT1S", "1, 1, PT0S", "1, 1, PT-1S"})
    void limits_outOfRange_areRejected(long messages, long bytes, Duration age) {
        assertThatIllegalArgumentException().isThrownBy(() -> new EpochLimits(messages, bytes, age));
    }

    private KeyEpochs epochs(EpochLimits limits) {
        return new KeyEpochs(wrapping, limits, now::get, CryptoProviders.standard());
    }

    private static List<Long> keysOf(KeyEpochs epochs, long messages) {
        return keysOfSizes(epochs, LongStream.generate(() -> 1).limit(messages).toArray());
    }

    private static List<Long> keysOfSizes(KeyEpochs epochs, long... sizes) {
        List<Long> keys = new ArrayList<>();
        for (long size : sizes) {
            try (KeyLease use = use(epochs, size)) {
                keys.add(FakeWrapping.number(use));
            }
        }
        return keys;
    }

    static KeyLease use(KeyEpochs epochs, long bytes) {
        KeyLease use = epochs.next(bytes);
        if (use == null) {
            throw new AssertionError("closed");
        }
        return use;
    }
}
