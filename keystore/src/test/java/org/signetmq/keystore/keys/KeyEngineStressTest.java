/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import javax.crypto.spec.GCMParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.keystore.keys.KeyEpochs.EpochLimits;
import org.signetmq.testkit.Tier;

/**
 * Uses the key engine with sixteen threads. A second or so in each build; a minute and ten million uses with
 * {@code -Dsignet.stress=long}.
 */
@Timeout(1800) // a lost wake-up must not hang the build
final class KeyEngineStressTest {
    private static final int THREADS = 16;
    private static final boolean LONG = "long".equals(System.getProperty("signet.stress"));
    private static final int USES_PER_THREAD = LONG ? 640_000 : Tier.rounds(32_000);
    private static final Duration ENCRYPTING = LONG ? Duration.ofMinutes(1) : Duration.ofMillis(Tier.rounds(1_000));
    private static final long SEED = 20261121;

    private final FakeWrapping wrapping = new FakeWrapping(LONG ? 64 : 1); // the heap does not hold millions

    /** Under each key the nonce counters are exactly 0..N-1, the last key aside, and no key is opened too many. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "32, 0", "1000, 0", "1, 100", "32, 100"})
    void messageLimit_16Threads_isExactAndNoNonceComesTwice(long limit, int pooled) throws Exception {
        long[] uses = new long[THREADS * USES_PER_THREAD];
        long opened;
        try (KeyPregenerator pregenerator = new KeyPregenerator(
                        PregenerationSettings.of(2, pooled), System::nanoTime, CryptoProviders.standard());
                KeyEpochs epochs =
                        new KeyEpochs(wrapping, new EpochLimits(limit, 1L << 46, Duration.ofDays(1)), pregenerator);
                Threads threads = new Threads(THREADS)) {
            threads.run(thread -> {
                for (int i = 0; i < USES_PER_THREAD; i++) {
                    DataKey key;
                    try (KeyLease use = KeyEpochsTest.use(epochs, 1)) {
                        key = use.key();
                        uses[thread * USES_PER_THREAD + i] = limit * FakeWrapping.number(use) + counter(use);
                        if (counter(use) >= limit || KeyInspection.isWiped(key)) {
                            throw new AssertionError("use " + counter(use) + ", wiped: " + KeyInspection.isWiped(key));
                        }
                    }
                    if (limit == 1 && !KeyInspection.isWiped(key)) {
                        throw new AssertionError("not wiped after its only use");
                    }
                }
            });
            opened = epochs.openedEpochs();
        }

        Arrays.sort(uses);
        assertThat(keysOf(uses, limit)).isEqualTo(opened).isEqualTo((uses.length + limit - 1) / limit);
        await().until(() ->
                wrapping.wrapped.stream().allMatch(KeyInspection::isWiped)); // a key just being made comes late
    }

    /** How many keys these sorted uses are of; fails unless all but one were used from 0 to the limit. */
    private static long keysOf(long[] uses, long limit) {
        long keys = 0;
        long unfinished = 0;
        for (int i = 0; i < uses.length; ) {
            long key = uses[i] / limit;
            int count = 0;
            for (; i < uses.length && uses[i] / limit == key; i++) {
                if (uses[i] % limit != count++) {
                    throw new AssertionError("key " + key + ": use " + uses[i] % limit + " in place " + (count - 1));
                }
            }
            keys++;
            unfinished += count < limit ? 1 : 0;
        }
        assertThat(unfinished).as("keys given up before their limit").isLessThanOrEqualTo(1);
        return keys;
    }

    /** In each order of taking, running dry and filling, the pool is at last more than half full. */
    @Test
    void dryPool_16Threads_isAlwaysFilledAgain() throws Exception {
        int capacity = 8;
        long end = System.nanoTime() + ENCRYPTING.toNanos() / 4;
        try (KeyPregenerator pregenerator = new KeyPregenerator(
                        PregenerationSettings.of(2, capacity), System::nanoTime, CryptoProviders.standard());
                KeyEpochs epochs = new KeyEpochs(
                        new FakeWrapping(1 << 20), new EpochLimits(1, 1L << 46, Duration.ofDays(1)), pregenerator);
                Threads threads = new Threads(THREADS)) {
            while (System.nanoTime() < end) {
                threads.run(thread -> {
                    for (int i = 0; i < 1 + thread; i++) {
                        KeyEpochsTest.use(epochs, 1).close();
                    }
                });

                await().pollInterval(Duration.ofMillis(1))
                        .pollDelay(Duration.ZERO)
                        .until(() -> pregenerator.pooledKeys() > capacity / 2);
            }
            assertThat(pregenerator.keyWaits()).isPositive();
        }
    }

    @Test
    void byteLimit_16Threads_isExact() throws Exception {
        long limit = 1000;
        AtomicLongArray bytes = new AtomicLongArray(THREADS * USES_PER_THREAD);
        AtomicLongArray messages = new AtomicLongArray(bytes.length());
        try (KeyEpochs epochs = new KeyEpochs(
                        wrapping,
                        new EpochLimits(1L << 32, limit, Duration.ofDays(1)),
                        System::nanoTime,
                        CryptoProviders.standard());
                Threads threads = new Threads(THREADS)) {
            threads.run(thread -> {
                Random random = new Random(SEED + thread);
                for (int i = 0; i < USES_PER_THREAD; i++) {
                    int size = random.nextInt(100) == 0 ? 1001 + random.nextInt(100) : random.nextInt(300);
                    try (KeyLease use = KeyEpochsTest.use(epochs, size)) {
                        int key = (int) FakeWrapping.number(use);
                        bytes.addAndGet(key, size);
                        messages.incrementAndGet(key);
                    }
                }
            });
        }

        for (int key = 0; key < bytes.length(); key++) {
            if (bytes.get(key) > limit) {
                assertThat(messages.get(key))
                        .as("messages with one too large, seed %s", SEED)
                        .isEqualTo(1);
            }
        }
        assertThat(wrapping.wrapped).allMatch(KeyInspection::isWiped);
    }

    /** Keys are retired and closed all the time. Each ciphertext must decrypt with its own key. */
    @Test
    void wiping_16Threads_isNeverSeenByAUser() throws Exception {
        long end = System.nanoTime() + ENCRYPTING.toNanos();
        OpenedKeys<Long, DataKey> opened =
                new OpenedKeys<>(4, Duration.ofMillis(1).toNanos(), System::nanoTime);
        KeyWrapping clear = new ClearWrapping();
        try (KeyEpochs epochs = new KeyEpochs(
                        clear,
                        new EpochLimits(3, 1L << 46, Duration.ofDays(1)),
                        System::nanoTime,
                        CryptoProviders.standard());
                Threads threads = new Threads(THREADS)) {
            List<Future<Long>> counts = threads.all(thread -> {
                Random random = new Random(SEED + thread);
                ContentCipher cipher = new ContentCipher(CryptoProviders.standard());
                long count = 0;
                do { // at least once, also where a thread begins late
                    byte[] clearText = new byte[random.nextInt(2048)];
                    random.nextBytes(clearText);
                    byte[] buffer = Arrays.copyOf(clearText, clearText.length + ContentCipher.TAG_LENGTH);
                    byte[] plain = new byte[clearText.length];
                    byte[] wrapped;
                    byte[] nonce;
                    try (KeyLease use = KeyEpochsTest.use(epochs, clearText.length)) {
                        cipher.encrypt(use, buffer, 0, clearText.length);
                        wrapped = use.wrapped();
                        nonce = use.nonce();
                    }
                    try (OpenedKeys.Lease<DataKey> lease = opened.get(
                            ByteBuffer.wrap(wrapped).getLong(), () -> DataKey.takeOwnershipOf(wrapped.clone()))) {
                        if (lease == null
                                || !cipher.decrypt(
                                        lease.key(), new GCMParameterSpec(128, nonce), ByteBuffer.wrap(buffer), plain)
                                || !Arrays.equals(plain, clearText)) {
                            throw new AssertionError("message " + count + " of thread " + thread + ", seed " + SEED);
                        }
                        if (random.nextInt(4) != 0) {
                            lease.accept();
                        }
                    }
                    assertThat(opened.size()).isLessThanOrEqualTo(4);
                    count++;
                } while (System.nanoTime() < end);
                return count;
            });
            for (Future<Long> count : counts) {
                assertThat(count.get()).isPositive();
            }
        }
    }

    /** Cache of one entry, 16 keys wanted at once: everyone gets the right key, in a bounded time. */
    @Test
    void oneEntryCache_16ThreadsEvictingEachOther_allAreServed() throws Exception {
        OpenedKeys<Integer, DataKey> keys = new OpenedKeys<>(1, Long.MAX_VALUE, System::nanoTime);
        try (Threads threads = new Threads(THREADS)) {
            threads.run(thread -> {
                Random random = new Random(SEED + thread);
                for (int i = 0; i < 5_000; i++) {
                    int name = random.nextInt(THREADS);
                    try (OpenedKeys.Lease<DataKey> lease = keys.get(name, () -> OpenedKeysTest.key(2 * name))) {
                        if (lease == null || KeyInspection.bytes(lease.key())[0] != (2 * name | 1)) {
                            throw new AssertionError("wrong key for " + name + ", seed " + SEED);
                        }
                    }
                }
            });
        }
        assertThat(keys.unwraps()).isLessThanOrEqualTo(THREADS * 5_000L);
    }

    /** Closes under load. A thread that got a key keeps it whole, other threads get none, and no key stays behind. */
    @Test
    void close_under16Threads_wipesEverything() throws Exception {
        for (int round = 0; round < 50; round++) {
            FakeWrapping each = new FakeWrapping();
            KeyEpochs epochs = new KeyEpochs(
                    each,
                    new EpochLimits(2, 1L << 46, Duration.ofDays(1)),
                    System::nanoTime,
                    CryptoProviders.standard());
            try (Threads threads = new Threads(THREADS)) {
                threads.run(thread -> {
                    if (thread == 0) {
                        Thread.onSpinWait();
                        epochs.close();
                    }
                    for (KeyLease use = epochs.next(1); use != null; use = epochs.next(1)) {
                        if (Arrays.equals(KeyInspection.bytes(use.key()), new byte[32])) {
                            throw new AssertionError("wiped in use");
                        }
                        use.close();
                    }
                });
            }
            assertThat(each.wrapped).allMatch(KeyInspection::isWiped);
            assertThat(each.closes).hasValue(1);
        }
    }

    private static long counter(KeyLease use) {
        return ByteBuffer.wrap(use.nonce()).getLong(4);
    }

    /** Returns the bytes of the key as its wrapped form, for comparing. */
    private static final class ClearWrapping implements KeyWrapping {
        @Override
        public byte[] wrap(DataKey key) {
            return KeyInspection.bytes(key);
        }

        @Override
        public void close() {}
    }
}
