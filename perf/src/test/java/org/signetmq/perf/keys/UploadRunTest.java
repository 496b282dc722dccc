/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.perf.keys.MeasuredWrapping.Wrapping;
import org.signetmq.perf.keys.Situation.Outcome;

@Timeout(60)
final class UploadRunTest {
    private static final long MAKING_NANOS = 1_000_000;

    /** A pause of 60 ms after each 50 files must not show, nor a key that was made in it. */
    @Test
    void bursts_countWithoutTheirPauses() throws Exception {
        UploadRun run = new UploadRun(Duration.ofMillis(100), Duration.ofMillis(300));
        MeasuredWrapping keys = new MeasuredWrapping("takes a millisecond", new Wrapping(UploadRunTest::slow), 0);
        Situation bursts = new Situation("test", keys, Arrival.BURSTY, new FileMix(100));

        Outcome waiting = run.run(bursts, Pool.OFF);
        Outcome ahead = run.run(bursts, Pool.of(2, 100));

        double mostIfWaiting = Arrival.BURSTY.uploaders() * 1e9 / MAKING_NANOS;
        assertThat(waiting.filesPerSecond()).isBetween(1.0, mostIfWaiting);
        assertThat(waiting.dryShare()).isEqualTo(1);
        assertThat(ahead.filesPerSecond()).isGreaterThan(mostIfWaiting);
    }

    private static byte[] slow(DataKey key) {
        long end = System.nanoTime() + MAKING_NANOS;
        for (long left = 1; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return new byte[100];
    }
}
