/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class WatchTest {
    @Test
    @Timeout(20)
    void failure_endsTheWaitAtOnce() {
        Watch watch = new Watch();

        watch.fail(new IllegalArgumentException("first"));
        watch.fail(new IllegalArgumentException("second"));

        assertThatIllegalStateException()
                .isThrownBy(() -> watch.pass(TimeUnit.MINUTES.toMillis(5)))
                .withMessageContaining("first");
        assertThat(watch.isOver()).isTrue();
    }

    @Test
    @Timeout(20)
    void phase_lastsUntilThereWasARoundTrip() throws InterruptedException {
        Watch watch = new Watch();
        Thread passing = new Thread(() -> {
            try {
                watch.pass(0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        passing.start();

        passing.join(50);
        boolean waited = passing.isAlive();
        watch.roundTripDone(1_000);
        passing.join();

        assertThat(waited).isTrue();
    }

    @Test
    void latencies_areThoseSinceTheyWereTakenLast() {
        Watch watch = new Watch();
        watch.roundTripDone(9_000_000);
        assertThat(watch.takeLatencies().getTotalCount()).isEqualTo(1);

        watch.roundTripDone(1_000_000);
        watch.roundTripDone(2_000_000);
        Histogram warm = watch.takeLatencies();
        assertThat(warm.getTotalCount()).isEqualTo(2);
        assertThat(warm.getMaxValue()).isBetween(2_000L, 2_010L);
        assertThat(watch.takeLatencies().getTotalCount()).isZero();
    }
}
