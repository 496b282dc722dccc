/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class WatchTest {
    @Test
    @Timeout(20)
    void failure_endsTheWaitAtOnce() {
        Watch watch = new Watch();
        watch.begin(Watch.Stage.WARM);

        watch.fail(new IllegalArgumentException("first"));
        watch.fail(new IllegalArgumentException("second"));

        assertThatIllegalStateException()
                .isThrownBy(() -> watch.pass(TimeUnit.MINUTES.toMillis(5)))
                .withMessageContaining("first");
        assertThat(watch.stage()).isEqualTo(Watch.Stage.OVER);
    }

    @Test
    @Timeout(20)
    void phase_lastsUntilThereWasARoundTrip() throws InterruptedException {
        Watch watch = new Watch();
        watch.begin(Watch.Stage.COLD);
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
        watch.roundTripDone();
        passing.join();

        assertThat(waited).isTrue();
    }

    @Test
    void latencies_areKeptByStage() {
        Latencies latencies = new Latencies();

        latencies.record(Watch.Stage.COLD, 9_000_000);
        latencies.record(Watch.Stage.WARM, 1_000_000);
        latencies.record(Watch.Stage.WARM, 2_000_000);
        latencies.record(Watch.Stage.OVER, 3_000_000);

        Histogram warm = Latencies.warm(List.of(latencies, new Latencies()));
        assertThat(warm.getTotalCount()).isEqualTo(2);
        assertThat(warm.getMaxValue()).isBetween(2_000L, 2_010L);
        assertThat(Latencies.cold(List.of(latencies)).getTotalCount()).isEqualTo(1);
    }
}
