/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.crypto.KeyWrapping;

@Timeout(60)
final class UploadRunTest {
    private static final long MAKING_NANOS = 1_000_000;

    /** A pause of 60 ms after each 50 files must not show, nor a key that was made in it. */
    @Test
    void bursts_countWithoutTheirPauses() throws Exception {
        UploadRun run = new UploadRun(Duration.ofMillis(100), Duration.ofMillis(300));
        KeyKind kind = new KeyKind("takes a millisecond", new Slow(), 0);

        UploadRun.Outcome waiting = run.run(new UploadRun.Case(kind, PoolChoice.OFF, Arrival.BURSTY, new FileMix(100)));
        UploadRun.Outcome ahead =
                run.run(new UploadRun.Case(kind, PoolChoice.of(2, 100), Arrival.BURSTY, new FileMix(100)));

        double mostIfWaiting = Arrival.BURSTY.uploaders() * 1e9 / MAKING_NANOS;
        assertThat(waiting.filesPerSecond()).isBetween(1.0, mostIfWaiting);
        assertThat(waiting.dryShare()).isEqualTo(1);
        assertThat(ahead.filesPerSecond()).isGreaterThan(mostIfWaiting);
    }

    private static final class Slow implements KeyWrapping {
        @Override
        public byte[] wrap(DataKey key) {
            long end = System.nanoTime() + MAKING_NANOS;
            for (long left = 1; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            return new byte[100];
        }

        @Override
        public void close() {}
    }
}
