/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.KeystoreUnusableException;

public final class OpenedKeysTest {
    private static final int REUSE = 32;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

    @Test
    void knownKey_isNotUnwrappedAgain() {
        OpenedKeys<String, DataKey> keys = keys(2);
        DataKey a = key(1);

        open(keys, "a", a).close();
        DataKey again = open(keys, "a", key(2)).key();

        assertThat(again).isSameAs(a);
        assertThat(keys.unwraps()).isEqualTo(1);
    }

    @Test
    void leasedAgain_isTheSameKeyWithoutAnotherUnwrap() {
        OpenedKeys<String, DataKey> keys = keys(2);
        OpenedKeys.Lease<DataKey> first = open(keys, "a", key(1));
        first.close();

        try (OpenedKeys.Lease<DataKey> again = Objects.requireNonNull(keys.again(first))) {
            assertThat(again.key()).isSameAs(first.key());
            assertThat(again.isUnwrappedNow()).isFalse();
        }
        assertThat(keys.unwraps()).isEqualTo(1);
    }

    @Test
    void leasedAgain_keyIsWipedOnlyAfterThatLease() {
        OpenedKeys<String, DataKey> keys = keys(1);
        DataKey a = key(1);
        OpenedKeys.Lease<DataKey> first = open(keys, "a", a);
        first.close();
        OpenedKeys.Lease<DataKey> again = Objects.requireNonNull(keys.again(first));

        open(keys, "b", key(2)).close();

        assertThat(KeyInspection.isWiped(a)).isFalse();
        again.close();
        assertThat(KeyInspection.isWiped(a)).isTrue();
    }

    @Test
    void leasedAgain_keyThatIsGone_isNull() {
        OpenedKeys<String, DataKey> keys = keys(1);
        OpenedKeys.Lease<DataKey> evicted = open(keys, "a", key(1));
        evicted.close();
        OpenedKeys.Lease<DataKey> rejected = Objects.requireNonNull(keys.get("b", () -> key(2)));
        rejected.close();
        OpenedKeys.Lease<DataKey> closed = open(keys, "c", key(3));
        keys.close();

        assertThat(keys.again(evicted)).isNull();
        assertThat(keys.again(rejected)).isNull();
        assertThat(keys.again(closed)).isNull();
        closed.close();
        assertThat(KeyInspection.isWiped(rejected.key())).isTrue();
        assertThat(KeyInspection.isWiped(closed.key())).isTrue();
    }

    /** Else the cache would take a key in use for idle. */
    @Test
    void leasedAgain_notLookedUpForAnEighthOfTheIdleTime_isNull() {
        OpenedKeys<String, DataKey> keys = new OpenedKeys<>(10, 800, now::get);
        OpenedKeys.Lease<DataKey> first = open(keys, "a", key(1));
        first.close();

        now.addAndGet(99);
        OpenedKeys.Lease<DataKey> again = Objects.requireNonNull(keys.again(first));
        again.close();
        now.addAndGet(1);

        assertThat(keys.again(again)).isNull();
        OpenedKeys.Lease<DataKey> lookedUp = open(keys, "a", key(9));
        assertThat(lookedUp.key()).isSameAs(first.key());
        assertThat(keys.again(lookedUp)).isNotNull();
    }

    @Test
    void leasedAgain_notLookedUpForASecond_isNull() {
        OpenedKeys<String, DataKey> keys = keys(10);
        OpenedKeys.Lease<DataKey> first = open(keys, "a", key(1));
        first.close();

        now.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(keys.again(first)).isNull();
    }

    @Test
    void fullCache_dropsTheLeastRecentlyUsed() {
        OpenedKeys<String, DataKey> keys = keys(2);
        DataKey a = key(1);
        DataKey b = key(2);
        open(keys, "a", a).close();
        open(keys, "b", b).close();
        open(keys, "a", key(9)).close();

        open(keys, "c", key(3)).close();

        assertThat(keys.size()).isEqualTo(2);
        assertThat(KeyInspection.isWiped(a)).isFalse();
        assertThat(KeyInspection.isWiped(b)).isTrue();
    }

    @Test
    void idleKey_isDroppedAtItsTimeAndNotBefore() {
        OpenedKeys<String, DataKey> keys = new OpenedKeys<>(10, 100, now::get);
        DataKey a = key(1);
        open(keys, "a", a).close();
        now.addAndGet(99);
        open(keys, "a", key(9)).close();
        now.addAndGet(99);

        assertThat(open(keys, "a", key(9)).key()).isSameAs(a);
    }

    @Test
    void idleKey_isNotServedAfterItsTime() {
        OpenedKeys<String, DataKey> keys = new OpenedKeys<>(10, 100, now::get);
        DataKey a = key(1);
        DataKey b = key(2);
        open(keys, "a", a).close();
        open(keys, "b", b).close();
        now.addAndGet(100);
        DataKey fresh = key(3);

        DataKey found = open(keys, "a", fresh).key();

        assertThat(found).isSameAs(fresh);
        assertThat(KeyInspection.isWiped(a)).isTrue();
        assertThat(KeyInspection.isWiped(b)).isTrue();
        assertThat(keys.size()).isEqualTo(1);
    }

    @Test
    void idleKey_isWipedAlsoIfNobodyAsksForAnother() {
        OpenedKeys<String, DataKey> keys =
                new OpenedKeys<>(10, Duration.ofMillis(200).toNanos(), System::nanoTime);
        DataKey a = key(1);
        DataKey b = key(2);
        OpenedKeys.Lease<DataKey> used = open(keys, "b", b);
        open(keys, "a", a).close();

        await().until(() -> KeyInspection.isWiped(a));
        assertThat(KeyInspection.isWiped(b)).isFalse(); // its user is not done
        used.close();
        assertThat(KeyInspection.isWiped(b)).isTrue();
        assertThat(keys.size()).isZero();
    }

    @Test
    void cacheLeftUnclosed_isNotKeptByTheSweepToCome() {
        OpenedKeys<String, DataKey> keys =
                new OpenedKeys<>(10, Duration.ofHours(1).toNanos(), System::nanoTime);
        open(keys, "a", key(1)).close();
        WeakReference<OpenedKeys<String, DataKey>> left = new WeakReference<>(keys);
        keys = null;

        await().until(() -> {
            System.gc();
            return left.get() == null;
        });
    }

    @Test
    void evictedKey_isWipedWhenTheLastLeaseCloses() {
        OpenedKeys<String, DataKey> keys = keys(1);
        DataKey a = key(1);
        OpenedKeys.Lease<DataKey> first = open(keys, "a", a);
        OpenedKeys.Lease<DataKey> second = open(keys, "a", key(9));
        open(keys, "b", key(2)).close();

        first.close();
        first.close();
        assertThat(KeyInspection.isWiped(a)).isFalse();

        second.close();
        assertThat(KeyInspection.isWiped(a)).isTrue();
    }

    @Test
    void keyOfARejectedMessage_isWipedAndNotKept() {
        OpenedKeys<String, DataKey> keys = keys(2);
        DataKey a = key(1);

        OpenedKeys.Lease<DataKey> lease = Objects.requireNonNull(keys.get("a", () -> a));
        assertThat(keys.size()).isZero();
        lease.close();
        lease.accept(); // too late

        assertThat(KeyInspection.isWiped(a)).isTrue();
        assertThat(keys.size()).isZero();
        assertThat(open(keys, "a", key(2)).key()).isNotSameAs(a);
    }

    @Test
    void accept_ofTheFirstRightMessage_isNew_andOfTheOthersIsNot() {
        OpenedKeys<String, DataKey> keys = keys(2);
        DataKey a = key(1);

        try (OpenedKeys.Lease<DataKey> first = Objects.requireNonNull(keys.get("a", () -> a));
                OpenedKeys.Lease<DataKey> second = Objects.requireNonNull(keys.get("a", () -> a))) {
            assertThat(first.isUnwrappedNow()).isTrue();
            assertThat(second.isUnwrappedNow()).isFalse();
            assertThat(second.accept()).isTrue();
            assertThat(first.accept()).isFalse();
            assertThat(second.accept()).isFalse();
        }
        assertThat(keys.size()).isEqualTo(1);
    }

    @Test
    void forgottenKey_isWipedAndUnwrappedAgain() {
        OpenedKeys<String, DataKey> keys = keys(2);
        DataKey a = key(1);
        OpenedKeys.Lease<DataKey> lease = open(keys, "a", a);
        lease.close();

        lease.forget();
        lease.forget();

        assertThat(keys.size()).isZero();
        assertThat(KeyInspection.isWiped(a)).isTrue();
        assertThat(open(keys, "a", key(2)).isUnwrappedNow()).isTrue();
    }

    @Test
    void keysOfRejectedMessages_evictNoOther() {
        OpenedKeys<String, DataKey> keys = keys(1);
        DataKey a = key(1);
        open(keys, "a", a).close();

        for (int i = 0; i < 100; i++) {
            Objects.requireNonNull(keys.get("rejected " + i, () -> key(2))).close();
        }

        assertThat(open(keys, "a", key(3)).key()).isSameAs(a);
    }

    /** The rejected message may be an attacker's copy of the recipients of the other message. */
    @Test
    void keyOfTwoMessages_oneOfThemRejected_isKeptOnceTheOtherIsAccepted() {
        OpenedKeys<String, DataKey> keys = keys(1);
        DataKey a = key(1);
        OpenedKeys.Lease<DataKey> rejected = Objects.requireNonNull(keys.get("a", () -> a));
        OpenedKeys.Lease<DataKey> accepted = open(keys, "a", key(2));

        rejected.close();
        accepted.close();

        assertThat(keys.size()).isEqualTo(1);
        assertThat(open(keys, "a", key(3)).key()).isSameAs(a);
    }

    @Test
    void keyOfTwoMessages_rejectedBeforeTheOtherEnds_servesItAndIsWiped() {
        OpenedKeys<String, DataKey> keys = keys(1);
        DataKey a = key(1);
        OpenedKeys.Lease<DataKey> rejected = Objects.requireNonNull(keys.get("a", () -> a));
        OpenedKeys.Lease<DataKey> other = Objects.requireNonNull(keys.get("a", () -> key(2)));

        rejected.close();

        assertThat(KeyInspection.isWiped(a)).isFalse();
        other.accept();
        other.close();
        assertThat(KeyInspection.isWiped(a)).isTrue();
        assertThat(keys.size()).isZero();
    }

    @Test
    void close_leavesUsersTheirKeysAndServesNobodyElse() {
        OpenedKeys<String, DataKey> keys = keys(2);
        DataKey a = key(1);
        DataKey b = key(2);
        OpenedKeys.Lease<DataKey> lease = open(keys, "a", a);
        open(keys, "b", b).close();

        keys.close();

        assertThat(KeyInspection.isWiped(b)).isTrue();
        assertThat(KeyInspection.isWiped(a)).isFalse();
        assertThatThrownBy(() -> open(keys, "a", key(9))).isInstanceOf(IllegalStateException.class);
        lease.close();
        assertThat(KeyInspection.isWiped(a)).isTrue();
    }

    @Test
    void close_whileUnwrapping_keyServesItsWaiterAndIsWiped() {
        OpenedKeys<String, DataKey> keys = keys(2);
        DataKey a = key(1);

        OpenedKeys.Lease<DataKey> lease = open(keys, "a", () -> {
            keys.close();
            return a;
        });

        assertThat(KeyInspection.isWiped(a)).isFalse();
        lease.close();
        assertThat(KeyInspection.isWiped(a)).isTrue();
    }

    @Test
    void keyUnwrappedWhileAnotherIs_servesTheMessageThatAskedForIt() {
        OpenedKeys<String, DataKey> keys = keys(1);
        DataKey a = key(1);
        DataKey b = key(2);

        OpenedKeys.Lease<DataKey> lease = open(keys, "a", () -> {
            open(keys, "b", b).close();
            return a;
        });

        assertThat(lease.key()).isSameAs(a);
        assertThat(keys.unwraps()).isEqualTo(2);
        lease.close();
        assertThat(KeyInspection.isWiped(a)).isFalse();
        assertThat(KeyInspection.isWiped(b)).isTrue(); // there is room for one
    }

    @Test
    void failedUnwrap_isReportedAndNotKept() {
        OpenedKeys<String, DataKey> keys = keys(2);

        assertThat(keys.get("a", () -> null)).isNull();
        assertThatThrownBy(() -> keys.get("a", () -> {
                    throw new KeystoreUnusableException("identity: gone");
                }))
                .isInstanceOf(KeystoreUnusableException.class);
        assertThatThrownBy(() -> keys.get("a", () -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);

        assertThat(keys.size()).isZero();
        assertThat(KeyInspection.isWiped(open(keys, "a", key(1)).key())).isFalse();
        assertThat(keys.unwraps()).isEqualTo(4);
    }

    @Test
    void sameKeyWantedBy16Threads_isUnwrappedOnce() throws Exception {
        OpenedKeys<String, DataKey> keys = keys(2);
        CountDownLatch unwrapping = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger arrived = new AtomicInteger();

        try (Threads threads = new Threads(16)) {
            List<Future<DataKey>> found = threads.all(i -> {
                arrived.incrementAndGet();
                try (OpenedKeys.Lease<DataKey> lease = open(keys, "a", () -> {
                    unwrapping.countDown();
                    Threads.await(goOn);
                    return key(1);
                })) {
                    return lease.key();
                }
            });
            Threads.await(unwrapping);
            while (arrived.get() < 16) {
                Thread.onSpinWait();
            }
            goOn.countDown();

            DataKey first = found.get(0).get();
            for (Future<DataKey> each : found) {
                assertThat(each.get()).isSameAs(first);
            }
        }
        assertThat(keys.unwraps()).isEqualTo(1);
    }

    @Test
    void failedUnwrap_isReportedToAllWhoWait() throws Exception {
        OpenedKeys<String, DataKey> keys = keys(2);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger failures = new AtomicInteger();

        try (Threads threads = new Threads(16)) {
            List<Future<Integer>> done = threads.all(i -> {
                try {
                    keys.get("a", () -> {
                        Threads.await(goOn);
                        throw new KeystoreUnusableException("identity: gone");
                    });
                } catch (KeystoreUnusableException expected) {
                    failures.incrementAndGet();
                }
                return i;
            });
            goOn.countDown();
            Threads.finish(done);
        }

        assertThat(failures).hasValue(16);
        assertThat(keys.size()).isZero();
    }

    /** Compares this cache with a cache of one entry for messages of many producers. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16, 32, 64, 128, 241})
    void interleavedProducers_oneUnwrapPerEpoch(int producers) {
        assertThat(unwrapsPerMessage(1024, producers)).isLessThanOrEqualTo(1.05 / REUSE);
    }

    @Test
    void interleavedProducers_oneEntryCacheThrashes() {
        assertThat(unwrapsPerMessage(1, 1)).isLessThanOrEqualTo(1.05 / REUSE);
        assertThat(unwrapsPerMessage(1, 241)).isCloseTo(1, within(0.05));
    }

    /** Producers in seeded random order, each with its own key for 32 messages at a time. */
    private double unwrapsPerMessage(int capacity, int producers) {
        Random random = new Random(20261121L + producers);
        int messages = producers * REUSE * 20;
        int[] sent = new int[producers];
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            order.add(i % producers);
        }
        Collections.shuffle(order, random);
        try (OpenedKeys<String, DataKey> keys = keys(capacity)) {
            for (int producer : order) {
                String name = producer + ":" + sent[producer]++ / REUSE;
                open(keys, name, () -> key(producer)).close();
                assertThat(keys.size()).isLessThanOrEqualTo(capacity);
            }
            return (double) keys.unwraps() / messages;
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "-1, 1", "1, 0", "1, -1"})
    void boundsThatHoldNothing_areRejected(int capacity, long idleNanos) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OpenedKeys<String, DataKey>(capacity, idleNanos, now::get));
    }

    private OpenedKeys<String, DataKey> keys(int capacity) {
        return new OpenedKeys<>(capacity, Long.MAX_VALUE, now::get);
    }

    private static OpenedKeys.Lease<DataKey> open(OpenedKeys<String, DataKey> keys, String name, DataKey key) {
        return open(keys, name, () -> key);
    }

    private static OpenedKeys.Lease<DataKey> open(
            OpenedKeys<String, DataKey> keys, String name, Supplier<@Nullable DataKey> unwrap) {
        OpenedKeys.Lease<DataKey> lease = keys.get(name, unwrap);
        if (lease == null) {
            throw new AssertionError("no key");
        }
        lease.accept();
        return lease;
    }

    public static DataKey key(int fill) {
        byte[] material = new byte[DataKey.LENGTH];
        Arrays.fill(material, (byte) (fill | 1));
        return DataKey.takeOwnershipOf(material);
    }
}
