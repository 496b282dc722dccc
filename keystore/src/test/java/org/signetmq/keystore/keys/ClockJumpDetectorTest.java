/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.keystore.keys.KeyPregenerator.ClockJumpDetector;

final class ClockJumpDetectorTest {
    private long wall = 1_700_000_000_000L;
    private long nanos = 123;
    private final ClockJumpDetector watch = new ClockJumpDetector(() -> wall, nanos);

    private void pass(long seconds) {
        wall += TimeUnit.SECONDS.toMillis(seconds);
        nanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    @ParameterizedTest
    @CsvSource({"4999, 0", "5000, 1", "-4999, 0", "-5000, 1", "86400000, 1"})
    void jumpOfTheWallClock_isCounted(long millis, long jumps) {
        pass(7);
        wall += millis;

        assertThat(watch.jumps(nanos)).isEqualTo(jumps);
        pass(7);
        assertThat(watch.jumps(nanos)).isEqualTo(jumps);
    }

    @Test
    void slowCorrections_areFollowed() {
        for (int minute = 0; minute < 1_000; minute++) {
            pass(60);
            wall += 30; // 500 parts in a million, as much as a system corrects
            assertThat(watch.jumps(nanos)).isZero();
        }
    }

    @Test
    void jumpWhileNothingWasAsked_isCounted() {
        pass(86_400);
        wall += 5_000;

        assertThat(watch.jumps(nanos)).isEqualTo(1);
    }
}
