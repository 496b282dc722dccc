/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.perf.keys.MeasuredWrapping.Wrapping;
import org.signetmq.perf.keys.Situation.Arrival;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.upload.FileMix;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class UploadRunTest {
    private static final long MAKING_NANOS = 1_000_000;

    /** A pause of 60 ms after each 50 files must not show, nor a key that was made in it. */
    @Test
    void bursts_countWithoutTheirPauses() throws Exception {
        MeasuredWrapping keys = new MeasuredWrapping("takes a millisecond", new Wrapping(UploadRunTest::slow), 0);
        Situation bursts = new Situation("test", keys, Arrival.BURSTY, new FileMix(100));

        double mostIfWaiting = Arrival.BURSTY.uploaders() * 1e9 / MAKING_NANOS;

        Result waiting = figures(bursts, Pool.OFF, run -> run.has("files_per_s"));
        Result ahead = figures(bursts, Pool.of(2, 100), run -> run.number("files_per_s") > mostIfWaiting);

        assertThat(waiting.number("files_per_s")).isPositive().isLessThanOrEqualTo(mostIfWaiting);
        assertThat(waiting.number("dry_share")).isEqualTo(1);
        assertThat(ahead.number("p50_us")).isPositive();
    }

    @Test
    void files_areCountedOneByOneInAClosedLoop() throws Exception {
        MeasuredWrapping keys = new MeasuredWrapping("takes a millisecond", new Wrapping(UploadRunTest::slow), 0);
        Situation closed = new Situation("test", keys, Arrival.CLOSED, new FileMix(100));

        Result waiting = figures(closed, Pool.OFF, run -> run.number("files_per_s") > 0);

        assertThat(waiting.number("files_per_s")).isLessThanOrEqualTo(Arrival.CLOSED.uploaders() * 1e9 / MAKING_NANOS);
        assertThat(waiting.number("p50_us")).isBetween(MAKING_NANOS / 1e3, waiting.number("p99_us"));
        assertThat(waiting.number("dry_share")).isEqualTo(1);
    }

    @Test
    void keysThatTookMuchOfTheTime_leaveNoRate() throws Exception {
        MeasuredWrapping keys = new MeasuredWrapping("takes a day", new Wrapping(key -> new byte[0]), 1e14);
        Situation closed = new Situation("test", keys, Arrival.CLOSED, new FileMix(0));

        Result filling = figures(closed, Pool.of(1, 50_000), Duration.ZERO, run -> !run.has("files_per_s"));

        assertThat(filling.has("p50_us")).isTrue();
    }

    @Test
    void median_isThatOfTheSteadyRuns_andHasTheirSpread() {
        Result unsteady = run(Double.NaN);

        Result median = UploadRun.median(List.of(run(30), unsteady, run(20), run(40)));

        assertThat(median.number("files_per_s")).isEqualTo(30);
        assertThat(median.number("spread")).isEqualTo(2);
        assertThat(UploadRun.median(List.of(run(7))).number("spread")).isEqualTo(1);
        assertThat(UploadRun.median(List.of(unsteady))).isEqualTo(unsteady);
    }

    private static Result run(double rate) {
        return Result.EMPTY.with("files_per_s", rate).with("p50_us", 1.0);
    }

    private static Result figures(Situation situation, Pool pool, Predicate<Result> wanted) throws Exception {
        return figures(situation, pool, Duration.ofMillis(100), wanted);
    }

    /** Returns the first run that is as wanted: other programs may disturb some. The test's timeout ends the search. */
    private static Result figures(Situation situation, Pool pool, Duration warmup, Predicate<Result> wanted)
            throws Exception {
        Result run;
        do {
            run = new UploadRun(situation, pool).figures(warmup, Duration.ofMillis(300));
        } while (!wanted.test(run));
        return run;
    }

    private static byte[] slow(DataKey key) {
        long end = System.nanoTime() + MAKING_NANOS;
        for (long left = 1; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return new byte[100];
    }
}
