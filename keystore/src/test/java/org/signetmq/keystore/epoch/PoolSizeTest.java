/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PoolSizeTest {
    private static final long MINUTE = 60_000_000_000L;

    private static final long PAUSE = 5_000_000;

    private final PoolSize size = PoolSize.learning(0);
    private long now;

    @Test
    void fixed_neverChanges() {
        PoolSize fixed = PoolSize.fixed(7);
        take(fixed, 100);
        fixed.ranDry(64);
        fixed.measured(1 << 30);
        fixed.shrinkIfIdle(MINUTE);

        assertThat(fixed.target()).isEqualTo(7);
    }

    @Test
    void beforeTheFirstKey_wantsNone() {
        assertThat(size.target()).isZero();
    }

    @Test
    void firstTake_wantsTwoUntilTheSizeOfOneIsKnown() {
        take(size, 1);
        size.ranDry(32);
        assertThat(size.target()).isEqualTo(PoolSize.FIRST);

        size.measured(500);
        assertThat(size.target()).isEqualTo(64); // twice its generators
    }

    @Test
    void burst_wantsFourTimesWhatItTook() {
        size.measured(500);
        size.full();
        take(size, 50);
        size.ranDry(1);

        assertThat(size.target()).isEqualTo(200);
    }

    @Test
    void burst_makersAreCalledAtItsEndAndNotBefore() {
        PoolSize size = PoolSize.learning(0);
        size.measured(100);
        take(size, 50);
        size.ranDry(1);

        assertThat(size.target() - size.refillAt()).isEqualTo(50);
    }

    @Test
    void fixed_makersAreCalledAtHalf() {
        assertThat(PoolSize.fixed(100).refillAt()).isEqualTo(50);
        assertThat(PoolSize.fixed(1).refillAt()).isZero();
    }

    @Test
    void smallest_makersAreCalledAfterTheFirstKey() {
        PoolSize size = PoolSize.learning(0);
        size.ranDry(1);

        assertThat(size.refillAt()).isEqualTo(PoolSize.FIRST - 1);
    }

    /** Takes that a filling pool kept up with add up to nothing. */
    @Test
    void fullInBetween_countsAnew() {
        size.measured(500);
        for (int i = 0; i < 10; i++) {
            take(size, 50);
            size.full();
        }
        take(size, 3);
        size.ranDry(1);

        assertThat(size.target()).isEqualTo(12);
    }

    /** Else generators would be called in the middle of the next burst, when it needs the cores. */
    @Test
    void burstThatMakersKeptUpWith_wantsFourTimesWhatItTook() {
        size.measured(500);
        for (int i = 0; i < 25; i++) {
            take(size, 2);
            size.full();
        }
        assertThat(size.target()).isZero();

        now += PAUSE;
        take(size, 1);

        assertThat(size.target()).isEqualTo(200);
    }

    @Test
    void shorterBursts_keepWhatTheLongestOneWants() {
        size.measured(500);
        for (int burst : new int[] {10, 20, 5}) {
            take(size, burst);
            now += PAUSE;
        }
        take(size, 1);

        assertThat(size.target()).isEqualTo(80);
    }

    @Test
    void takesCloserThanAPause_areOneBurst() {
        size.measured(500);
        for (int i = 0; i < 10; i++) {
            take(size, 1);
            now += PAUSE - 1;
        }
        take(size, 1);
        assertThat(size.target()).isZero();

        now += PAUSE;
        take(size, 1);

        assertThat(size.target()).isEqualTo(44);
    }

    /** Its keys are made while it goes on, at each size of the pool. */
    @Test
    void streamLongerThanAPoolCanHold_teachesNothingAtItsEnd() {
        size.measured(500);
        take(size, PoolSize.MOST_KEYS / 4 + 1);

        now += PAUSE;
        take(size, 1);

        assertThat(size.target()).isZero();
    }

    @Test
    void endlessDryness_endsAtTheMost() {
        size.measured(500);
        for (int i = 0; i < 100_000; i++) {
            take(size, 1);
            size.ranDry(1);
        }

        assertThat(size.target()).isEqualTo(PoolSize.MOST_KEYS);
    }

    @Test
    void largeKeys_boundTheirNumber() {
        take(size, 2000);
        size.ranDry(1);

        size.measured(1 << 20);
        assertThat(size.target()).isEqualTo(4);
        size.measured(64 << 20);
        assertThat(size.target()).isEqualTo(PoolSize.FIRST);
    }

    @Test
    void littleTaken_halvesEachMinuteDownToTwo() {
        size.measured(500);
        take(size, 25);
        size.ranDry(1);

        size.shrinkIfIdle(MINUTE); // twenty-five were taken in this one
        assertThat(size.target()).isEqualTo(100);
        take(size, 24);
        size.shrinkIfIdle(2 * MINUTE);
        assertThat(size.target()).isEqualTo(50);
        size.shrinkIfIdle(3 * MINUTE - 1);
        assertThat(size.target()).isEqualTo(50);
        for (int minute = 3; minute < 10; minute++) {
            size.shrinkIfIdle(minute * MINUTE);
        }
        assertThat(size.target()).isEqualTo(PoolSize.FIRST);
    }

    private void take(PoolSize size, int keys) {
        for (int i = 0; i < keys; i++) {
            size.taken(now);
        }
    }
}
