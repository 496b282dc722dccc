/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.keys.KeyEpochs.EpochLimits;
import org.signetmq.keystore.keys.KeyPregenerator.ClockJumpDetector;
import org.signetmq.testkit.Tier;

final class KeyPregeneratorTest {
    private static final EpochLimits FRESH = new EpochLimits(1, 1L << 46, Duration.ofMinutes(10));
    private static final EpochLimits TWICE = new EpochLimits(2, 1L << 46, Duration.ofMinutes(10));
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final FakeWrapping wrapping = new FakeWrapping();
    private final List<KeyPregenerator> opened = new ArrayList<>();

    @AfterEach
    void stopThreads() {
        opened.forEach(KeyPregenerator::close);
    }

    @Test
    void off_makesNothingAhead() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.OFF);
        try (KeyEpochs epochs = epochs(pregenerator)) {
            take(epochs, 10);

            assertThat(wrapping.wrapped).hasSize(10);
            assertThat(pregenerator.pooledKeys()).isZero();
            assertThat(pregenerator.keyWaits()).isEqualTo(10); // each of them made a message wait
        }
    }

    @Test
    void allWhoWaitForTheSameKey_areCounted() throws Exception {
        int threads = 8;
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.OFF);
        KeyWrapping slow = new KeyWrapping() {
            @Override
            public byte[] wrap(DataKey key) {
                long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
                for (long left = 1; left > 0; left = end - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                return new byte[8];
            }

            @Override
            public void close() {}
        };
        EpochLimits many = new EpochLimits(1000, 1L << 46, Duration.ofMinutes(10));
        try (KeyEpochs epochs = new KeyEpochs(slow, many, pregenerator);
                Threads waiting = new Threads(threads)) {
            waiting.run(thread -> KeyEpochsTest.use(epochs, 1).close());

            assertThat(epochs.openedEpochs()).isEqualTo(1);
            assertThat(pregenerator.keyWaits()).isEqualTo(threads);
            take(epochs, 10);
            assertThat(pregenerator.keyWaits()).isEqualTo(threads);
        }
    }

    @Test
    void fixedCapacity_isFilledAfterTheFirstTakeAndNotBefore() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(2, 10));
        try (KeyEpochs epochs = epochs(pregenerator)) {
            assertThat(wrapping.wrapped).isEmpty();
            take(epochs, 1);
            awaitPooled(pregenerator, 10);

            take(epochs, 10);

            assertThat(pregenerator.keyWaits()).isEqualTo(1);
            assertThat(epochs.openedEpochs()).isEqualTo(11);
            assertThat(pregenerator.begunKeys()).isEqualTo(11);
            awaitPooledAtLeast(pregenerator, 6); // as many come as are gone then, once half are gone
        }
    }

    @Test
    void dryPool_takerMakesItsOwnAtOnceAndIsCounted() {
        CountDownLatch never = new CountDownLatch(1);
        Thread taker = Thread.currentThread();
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(1, 10));
        KeyWrapping stuck = new StuckWrapping(wrapping, taker, never);
        try (KeyEpochs epochs = new KeyEpochs(stuck, FRESH, pregenerator)) {
            take(epochs, 100);

            assertThat(pregenerator.keyWaits()).isEqualTo(100);
            assertThat(pregenerator.pooledKeys()).isZero();
            never.countDown();
            awaitPooled(pregenerator, 10);
        }
    }

    @Test
    void auto_holdsABurst_afterTheFirstKey() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.AUTO);
        try (KeyEpochs epochs = epochs(pregenerator)) {
            take(epochs, 1);
            awaitPooled(pregenerator, KeyPregenerator.CAPACITY);

            take(epochs, KeyPregenerator.CAPACITY);

            assertThat(pregenerator.keyWaits()).isEqualTo(1);
        }
    }

    @Test
    void fixedCapacity_endsAtAQuarterOfTheHeap() {
        int most = (int) (Runtime.getRuntime().maxMemory() / 4 / (1 << 20));
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(1, 100_000));
        KeyWrapping large = new KeyWrapping() {
            private final byte[] shared = new byte[1 << 20]; // counted, but not taken, for each key

            @Override
            public byte[] wrap(DataKey key) {
                return shared;
            }

            @Override
            public void close() {}
        };
        try (KeyEpochs epochs = new KeyEpochs(large, FRESH, pregenerator)) {
            take(epochs, 1);
            awaitPooledAtLeast(pregenerator, most - 1);
            take(epochs, most / 2 + 1);
            awaitPooledAtLeast(pregenerator, most - 1);

            assertThat(pregenerator.pooledKeys()).isLessThanOrEqualTo(most + 1);
        }
    }

    @Test
    void auto_idleForTheLifeOfAKey_keepsTwoKeysAlone_untilTheNextMessage() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.AUTO);
        try (KeyEpochs epochs = epochs(pregenerator)) {
            take(epochs, 1);
            awaitPooled(pregenerator, KeyPregenerator.CAPACITY);

            for (int i = 0; i < 3; i++) {
                now.addAndGet(KeyPregenerator.LIFE_NANOS);
                pregenerator.tend();
                awaitPooled(pregenerator, KeyPregenerator.FIRST);
            }
            await().untilAsserted(() -> assertUnwiped(KeyPregenerator.FIRST));

            take(epochs, 1);
            awaitPooled(pregenerator, KeyPregenerator.CAPACITY);
        }
    }

    /** A key service that answers after a while: only many requests at once help. */
    @Tag(Tier.LONG)
    @Test
    void waitingWrapping_getsTheConfiguredThreads_whichEndWhenTheyAreIdle() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(16, 2000));
        assertThat(pregenerator.threads()).isZero();
        try (KeyEpochs epochs = new KeyEpochs(new SlowWrapping(wrapping), FRESH, pregenerator)) {
            take(epochs, 1);
            await().until(() -> pregenerator.threads() == 16);

            awaitPooled(pregenerator, 2000);
            await().atMost(Duration.ofMinutes(3)).until(() -> pregenerator.threads() == 1);
            take(epochs, 1);
        }
        pregenerator.close();
        await().until(() -> pregenerator.threads() == 0);
    }

    @Test
    void pooledKey_atTheEndOfItsLife_isWipedUnused() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(1, 4));
        try (KeyEpochs epochs = epochs(pregenerator)) {
            take(epochs, 1);
            awaitPooled(pregenerator, 4);
            now.addAndGet(KeyPregenerator.LIFE_NANOS);

            try (KeyLease use = KeyEpochsTest.use(epochs, 1)) {
                assertThat(FakeWrapping.number(use)).isGreaterThan(4);
            }

            assertThat(pregenerator.keyWaits()).isEqualTo(2);
            awaitPooled(pregenerator, 4);
            assertUnwiped(4);
        }
    }

    @Test
    void pooledKey_atItsAgeLimitWhileIdle_isWiped() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(1, 4));
        EpochLimits minute = new EpochLimits(1, 1L << 46, Duration.ofMinutes(1));
        try (KeyEpochs epochs = new KeyEpochs(wrapping, minute, pregenerator)) {
            take(epochs, 1);
            awaitPooled(pregenerator, 4);

            now.addAndGet(MINUTE);
            pregenerator.tend();

            assertThat(pregenerator.pooledKeys()).isZero();
            assertUnwiped(0);
        }
    }

    @Test
    void pooledKey_atTheEndOfItsLife_isReplacedBeforeItIsNeeded() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(1, 4));
        try (KeyEpochs epochs = epochs(pregenerator)) {
            take(epochs, 1);
            awaitPooled(pregenerator, 4);
            List<DataKey> first = List.copyOf(wrapping.wrapped);

            now.addAndGet(KeyPregenerator.LIFE_NANOS - 1);
            pregenerator.tend();
            assertUnwiped(4);
            now.addAndGet(1);
            pregenerator.tend();

            await().until(() -> wrapping.wrapped.size() >= 9 && pregenerator.pooledKeys() == 4);
            assertThat(first).allMatch(KeyInspection::isWiped);
            long waits = pregenerator.keyWaits();
            try (KeyLease use = KeyEpochsTest.use(epochs, 1)) {
                assertThat(FakeWrapping.number(use)).isGreaterThan(4);
            }
            assertThat(pregenerator.keyWaits()).isEqualTo(waits);
        }
    }

    /** As when a machine goes on from a snapshot: no key from before encrypts another message. */
    @Test
    void wallClockJump_endsThePresentKey_theStandbyAndThePool() {
        AtomicLong wall = new AtomicLong(1_000_000);
        now.set(0);
        KeyPregenerator pregenerator = new KeyPregenerator(
                PregenerationSettings.of(1, 4),
                now::get,
                new ClockJumpDetector(wall::get, now.get()),
                CryptoProviders.standard());
        opened.add(pregenerator);
        EpochLimits many = new EpochLimits(2, 1L << 46, Duration.ofMinutes(10));
        try (KeyEpochs epochs = new KeyEpochs(wrapping, many, pregenerator)) {
            take(epochs, 3); // the second key is in use, a third stands by
            awaitFull(pregenerator);
            List<DataKey> before = List.copyOf(wrapping.wrapped);

            wall.addAndGet(ClockJumpDetector.JUMP_MILLIS - 1);
            try (KeyLease use = KeyEpochsTest.use(epochs, 1)) {
                assertThat(before).contains(use.key());
            }
            take(epochs, 1);
            wall.addAndGet(1);
            for (int i = 0; i < 8; i++) {
                try (KeyLease use = KeyEpochsTest.use(epochs, 1)) {
                    assertThat(before).doesNotContain(use.key());
                }
            }
            assertThat(before).allMatch(KeyInspection::isWiped);
        }
    }

    @Test
    void keyTakenAheadOfTheNextChange_olderThanItsAgeLimit_isWipedUnused() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(1, 4));
        try (KeyEpochs epochs = new KeyEpochs(wrapping, TWICE, pregenerator)) {
            changeKeyOnce(epochs, pregenerator);
            List<DataKey> old = List.copyOf(wrapping.wrapped);
            now.addAndGet(TWICE.ageNanos());

            take(epochs, 1);

            assertThat(old).hasSizeGreaterThan(4).allMatch(KeyInspection::isWiped);
        }
    }

    @Test
    void closedEpochs_wipeTheKeyTakenAheadOfTheNextChange() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(1, 4));
        try (KeyEpochs epochs = new KeyEpochs(wrapping, TWICE, pregenerator)) {
            changeKeyOnce(epochs, pregenerator);
        }

        assertThat(wrapping.wrapped).hasSizeGreaterThan(4).allMatch(KeyInspection::isWiped);
    }

    /** The pool has keys then, and one more is out of it, for the next change. */
    private static void changeKeyOnce(KeyEpochs epochs, KeyPregenerator pregenerator) {
        take(epochs, 1);
        awaitPooledAtLeast(pregenerator, 3);
        take(epochs, 2);
        awaitPooledAtLeast(pregenerator, 3);
    }

    /** Some queues of Java 17 keep a core busy while a thread waits in them for a limited time. */
    @Tag(Tier.LONG)
    @Test
    void idle_takesNoCpu() {
        List<KeyEpochs> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            KeyPregenerator pregenerator = pregenerator(PregenerationSettings.AUTO);
            all.add(epochs(pregenerator));
            take(all.get(i), 3);
            awaitFull(pregenerator);
        }
        long before = cpuOfPregenerators();
        Duration idle = Duration.ofSeconds(1);

        await().pollDelay(idle).until(() -> true);

        assertThat(Duration.ofNanos(cpuOfPregenerators() - before)).isLessThan(idle.dividedBy(4));
        all.forEach(KeyEpochs::close);
    }

    private static long cpuOfPregenerators() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("signet-key-pregenerator"))
                .mapToLong(thread -> threads.getThreadCpuTime(thread.getId()))
                .filter(nanos -> nanos > 0) // less than 0: the thread has ended
                .sum();
    }

    @Test
    void closedEpochs_wipeTheirPoolAndNoOther() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(1, 4));
        FakeWrapping other = new FakeWrapping();
        try (KeyEpochs stays = new KeyEpochs(other, FRESH, pregenerator)) {
            take(stays, 1);
            try (KeyEpochs goes = epochs(pregenerator)) {
                take(goes, 1);
                awaitPooled(pregenerator, 8);
            }

            assertUnwiped(0);
            assertThat(wrapping.closes).hasValue(1);
            assertThat(pregenerator.pooledKeys()).isEqualTo(4);
            take(stays, 4);
            assertThat(pregenerator.keyWaits()).isEqualTo(2);
        }
    }

    @Test
    void closeWhileAKeyIsBeingMade_wipesItOnArrivalAndOnlyThenClosesTheWrapping() {
        CountDownLatch goOn = new CountDownLatch(1);
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(1, 4));
        KeyWrapping stuck = new StuckWrapping(wrapping, Thread.currentThread(), goOn);
        KeyEpochs epochs = new KeyEpochs(stuck, FRESH, pregenerator);
        take(epochs, 1);
        await().until(() -> wrapping.wrapped.size() == 2);

        epochs.close();

        assertThat(epochs.next(1)).isNull();
        assertThat(wrapping.closes).hasValue(0);
        goOn.countDown();
        await().until(() -> wrapping.closes.get() == 1);
        await().untilAsserted(() -> assertUnwiped(0));
    }

    @Test
    void closedPregenerator_hasNoKeysAndNoThreadsButEpochsGoOn() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(2, 4));
        try (KeyEpochs epochs = epochs(pregenerator)) {
            take(epochs, 1);
            awaitPooled(pregenerator, 4);

            pregenerator.close();
            pregenerator.close();

            await().untilAsserted(() -> assertUnwiped(0));
            take(epochs, 5);
            try (KeyEpochs later = new KeyEpochs(new FakeWrapping(), FRESH, pregenerator)) {
                take(later, 1);
            }
            assertThat(pregenerator.pooledKeys()).isZero();
        }
    }

    @Test
    void failingWrapping_isReportedToTheTakerAndTriedAgainWithTheNextOne() {
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(2, 4));
        try (KeyEpochs epochs = epochs(pregenerator)) {
            wrapping.failWith(new KeystoreUnusableException("recipient: gone"));
            assertThatThrownBy(() -> epochs.next(1)).isInstanceOf(KeystoreUnusableException.class);
            assertThatThrownBy(() -> epochs.next(1)).isInstanceOf(KeystoreUnusableException.class);
            wrapping.failWith(null);

            take(epochs, 1);

            await().until(() -> {
                take(epochs, 1);
                return pregenerator.pooledKeys() > 0;
            });
        }
        await().untilAsserted(() -> assertUnwiped(0));
    }

    /** Pooled keys keep every promise of keys made on the spot: no key and no nonce twice, limits exact. */
    @ParameterizedTest
    @CsvSource({"1", "3", "32"})
    void pooledKeys_16Threads_areUsedOnceEach(long limit) throws Exception {
        int uses = 4_000;
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        KeyPregenerator pregenerator = pregenerator(PregenerationSettings.of(2, 16));
        EpochLimits limits = new EpochLimits(limit, 1L << 46, Duration.ofDays(1));
        try (KeyEpochs epochs = new KeyEpochs(wrapping, limits, pregenerator);
                Threads threads = new Threads(16)) {
            threads.run(thread -> {
                for (int i = 0; i < uses; i++) {
                    try (KeyLease use = KeyEpochsTest.use(epochs, 1)) {
                        long counter = ByteBuffer.wrap(use.nonce()).getLong(4);
                        assertThat(counter).isLessThan(limit);
                        assertThat(seen.add(limit * FakeWrapping.number(use) + counter))
                                .isTrue();
                        assertThat(KeyInspection.bytes(use.key())).isNotEqualTo(new byte[32]);
                    }
                }
            });

            assertThat(epochs.openedEpochs()).isEqualTo((16L * uses + limit - 1) / limit);
        }
        await().untilAsserted(() -> assertUnwiped(0));
    }

    private KeyPregenerator pregenerator(PregenerationSettings settings) {
        KeyPregenerator pregenerator = new KeyPregenerator(settings, now::get, CryptoProviders.standard());
        opened.add(pregenerator);
        return pregenerator;
    }

    private KeyEpochs epochs(KeyPregenerator pregenerator) {
        return new KeyEpochs(wrapping, FRESH, pregenerator);
    }

    private static void take(KeyEpochs epochs, int count) {
        for (int i = 0; i < count; i++) {
            KeyEpochsTest.use(epochs, 1).close();
        }
    }

    private static void awaitPooled(KeyPregenerator pregenerator, int keys) {
        await().until(() -> pregenerator.pooledKeys() == keys);
    }

    /** Waits until no more keys come for a while, because the size of an automatic pool is not visible. */
    private static void awaitFull(KeyPregenerator pregenerator) {
        AtomicInteger before = new AtomicInteger(-1);
        AtomicInteger same = new AtomicInteger();
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            int keys = pregenerator.pooledKeys();
            boolean stays = before.getAndSet(keys) == keys && keys > 0;
            return (stays ? same.incrementAndGet() : same.getAndSet(0)) >= 10;
        });
    }

    private static void awaitPooledAtLeast(KeyPregenerator pregenerator, int keys) {
        await().until(() -> pregenerator.pooledKeys() >= keys);
    }

    private void assertUnwiped(int keys) {
        assertThat(wrapping.wrapped.stream()
                        .filter(key -> !KeyInspection.isWiped(key))
                        .count())
                .isEqualTo(keys);
    }

    /** Wraps for the taker at once, for the pool's threads after the latch. */
    private record StuckWrapping(FakeWrapping wrapping, Thread taker, CountDownLatch goOn) implements KeyWrapping {
        @Override
        public byte[] wrap(DataKey key) {
            byte[] wrapped = wrapping.wrap(key);
            if (Thread.currentThread() != taker) {
                Threads.await(goOn);
            }
            return wrapped;
        }

        @Override
        public void close() {
            wrapping.close();
        }
    }

    private record SlowWrapping(FakeWrapping wrapping) implements KeyWrapping {
        @Override
        public byte[] wrap(DataKey key) {
            LockSupport.parkNanos(2_000_000);
            return wrapping.wrap(key);
        }

        @Override
        public void close() {
            wrapping.close();
        }
    }
}
