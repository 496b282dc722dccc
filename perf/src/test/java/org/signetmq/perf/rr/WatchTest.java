/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
final class WatchTest {
    private final Watch watch = new Watch();

    @AfterEach
    void allThreadsEnd() throws InterruptedException {
        watch.close();
    }

    @Test
    void failure_endsTheWaitAtOnce() {
        watch.start(() -> {
            throw new IllegalArgumentException("no reply");
        });

        assertThatIllegalStateException()
                .isThrownBy(() -> watch.pass(TimeUnit.MINUTES.toMillis(5)))
                .withMessage("block: java.lang.IllegalArgumentException: no reply")
                .withCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void phase_lastsUntilThereWasARoundTrip() throws InterruptedException {
        AtomicBoolean passed = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        Thread passing = new Thread(() -> {
            try {
                begun.countDown();
                watch.pass(0);
                passed.set(true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        passing.start();
        begun.await();

        passing.join(50);
        boolean waited = !passed.get();
        watch.roundTripDone(1_000);
        passing.join();

        assertThat(waited).isTrue();
        assertThat(passed).isTrue();
    }

    @Test
    void participants_beginWithTheFirstPart_andAreAwaitedAtTheEnd() throws InterruptedException {
        AtomicBoolean begun = new AtomicBoolean();
        AtomicBoolean ended = new AtomicBoolean();
        watch.start(() -> {
            watch.awaitBegin();
            begun.set(true);
            while (!watch.isOver()) {
                watch.roundTripDone(1_000);
            }
            ended.set(true);
            return null;
        });

        assertThat(begun).isFalse();
        watch.pass(1);
        assertThat(begun).isTrue();
        assertThat(watch.isOver()).isFalse();
        watch.end(1);

        assertThat(ended).isTrue();
    }

    @Test
    void failureOfTheLastRoundTrip_isNotLost() throws InterruptedException {
        watch.start(() -> {
            watch.awaitBegin();
            while (!watch.isOver()) {
                watch.roundTripDone(1_000);
            }
            throw new IllegalArgumentException("late");
        });
        watch.pass(1);

        assertThatIllegalStateException().isThrownBy(() -> watch.end(1)).withMessageContaining("late");
    }

    @Test
    void latencies_areThoseSinceTheyWereTakenLast() {
        watch.roundTripDone(9_000_000);
        assertThat(watch.takeLatencies().getTotalCount()).isEqualTo(1);

        watch.roundTripDone(1_000_000);
        watch.roundTripDone(2_000_000);
        Histogram warm = watch.takeLatencies();
        assertThat(warm.getTotalCount()).isEqualTo(2);
        assertThat(warm.getMaxValue()).isBetween(2_000L, 2_010L);
        assertThat(watch.takeLatencies().getTotalCount()).isZero();
    }

    @Test
    void latencyBeyondTheLongest_countsAsTheLongest() {
        watch.roundTripDone(TimeUnit.HOURS.toNanos(1));

        assertThat(watch.takeLatencies().getMaxValue() / 1e6).isBetween(119.0, 121.0);
    }
}
