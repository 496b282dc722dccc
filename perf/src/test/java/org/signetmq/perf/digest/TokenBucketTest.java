/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A bucket of 100 bytes that fills by a byte each nanosecond, by a clock that only sleep moves. */
final class TokenBucketTest {
    private static final int CAPACITY = 100;

    private final List<Long> slept = new ArrayList<>();
    private long now = Long.MAX_VALUE - 500; // it overflows during the test, as System.nanoTime may
    private long late;

    private final TokenBucket bucket = new TokenBucket(1e9, CAPACITY, () -> now, this::sleep);

    private void sleep(long nanos) {
        slept.add(nanos);
        now += nanos + late;
    }

    @Test
    void newBucket_isEmpty() {
        bucket.accept(40);

        assertThat(slept).containsExactly(40L);
    }

    @Test
    void severalTakes_keepTheRate() {
        long start = now;
        for (int i = 0; i < 1000; i++) {
            bucket.accept(7);
        }

        assertThat(now - start).isEqualTo(7000);
    }

    @Test
    void timeWithoutTakes_fillsTheBucketToItsCapacity() {
        now += 1_000_000;
        bucket.accept(CAPACITY);
        assertThat(slept).isEmpty();

        bucket.accept(1);
        assertThat(slept).containsExactly(1L);
    }

    @Test
    void moreThanTheCapacity_isWaitedForInOneGo() {
        now += 60;
        bucket.accept(1000);

        assertThat(slept).containsExactly(940L);
    }

    @Test
    void lateWakeUps_doNotLowerTheRate() {
        long start = now;
        late = CAPACITY;
        for (int i = 0; i < 100; i++) {
            bucket.accept(50);
        }

        assertThat(now - start).isBetween(5000L, 5000L + CAPACITY);
    }

    @Test
    void fractionsOfNanoseconds_areCloseToTheRate() {
        TokenBucket disk = new TokenBucket(Published.READ_RATE, 0, () -> now, this::sleep);
        long start = now;
        for (int i = 0; i < 1000; i++) {
            disk.accept(4096);
        }

        assertThat((now - start) / (4_096_000 * 1e9 / Published.READ_RATE)).isBetween(0.999, 1.001);
    }
}
