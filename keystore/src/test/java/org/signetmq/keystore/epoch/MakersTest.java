/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MakersTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final int CORES = 4;

    private final Makers makers = Makers.learning(CORES, 0);

    @Test
    void fixed_neverChanges() {
        Makers fixed = Makers.fixed(3);
        for (int i = 0; i < 100; i++) {
            fixed.made(10 * MILLI);
            fixed.tookCpu(1);
            fixed.ranDry();
        }
        fixed.fitToDemand(SECOND);

        assertThat(fixed.allowed()).isEqualTo(3);
    }

    @Test
    void computingWraps_getOneForEachCore() {
        for (int i = 0; i < 100; i++) {
            dry(MILLI, MILLI);
        }

        assertThat(makers.allowed()).isEqualTo(CORES);
    }

    @Test
    void waitingWraps_doubleWhileDryUpToTheLimit() {
        dry(10 * MILLI, MILLI / 100);
        assertThat(makers.allowed()).isEqualTo(2 * CORES);
        dry(10 * MILLI, MILLI / 100);
        assertThat(makers.allowed()).isEqualTo(4 * CORES);

        for (int i = 0; i < 10; i++) {
            dry(10 * MILLI, MILLI / 100);
        }
        assertThat(makers.allowed()).isEqualTo(Makers.MOST);
    }

    @Test
    void halfWaitingWraps_getAsManyAsBusyAllCores() {
        for (int i = 0; i < 10; i++) {
            dry(2 * MILLI, MILLI);
        }

        assertThat(makers.allowed()).isEqualTo(2 * CORES);
    }

    /** Other threads in the way make a wrap look as if it waited, but not all wraps. */
    @Test
    void interruptedComputing_isNotTakenForWaiting() {
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < makers.allowed(); j++) {
                makers.made(j == 0 ? MILLI : 20 * MILLI);
                makers.tookCpu(MILLI);
            }
            makers.ranDry();
        }

        assertThat(makers.allowed()).isEqualTo(CORES);
    }

    @Test
    void notDry_staysAsItIs() {
        for (int i = 0; i < 1000; i++) {
            makers.taken();
            makers.made(10 * MILLI);
            makers.tookCpu(0);
        }

        assertThat(makers.allowed()).isEqualTo(CORES);
    }

    /** It costs more than such a wrap. */
    @Test
    void quickWraps_areSeldomAskedForTheirCpuTime() {
        int asked = 0;
        for (int i = 0; i < 3200; i++) {
            asked += makers.wantsCpuTime() ? 1 : 0;
            makers.made(2_000);
        }

        assertThat(asked).isEqualTo(100);
    }

    @Test
    void slowWraps_areAllAskedForTheirCpuTime() {
        dry(MILLI, MILLI);
        makers.made(MILLI);

        assertThat(makers.wantsCpuTime()).isTrue();
    }

    @Test
    void tooFewWrapsSinceTheLastChange_tellNothing() {
        makers.made(10 * MILLI);
        makers.tookCpu(0);
        makers.ranDry();
        makers.ranDry();

        assertThat(makers.allowed()).isEqualTo(CORES);
    }

    /** A service that does one thing after the other: more requests at once only wait longer. */
    @Test
    void serialService_isNotFlooded() {
        for (int i = 0; i < 100; i++) {
            dry(makers.allowed() * MILLI, MILLI / 100);

            assertThat(makers.allowed()).isLessThanOrEqualTo(2 * CORES);
        }
        assertThat(makers.allowed()).isEqualTo(CORES);
    }

    @Test
    void serialServiceThatBecameParallel_getsMoreAfterAWhile() {
        dry(MILLI, 0);
        dry(8 * MILLI, 0);
        assertThat(makers.allowed()).isEqualTo(CORES);

        makers.fitToDemand(SECOND);
        dry(MILLI, 0);

        assertThat(makers.allowed()).isEqualTo(2 * CORES);
    }

    /** Little's law: 400 keys a second of 10 ms each keep 4 makers busy; twice as many may stand by. */
    @ParameterizedTest
    @ValueSource(ints = {400, 4_000})
    void demandThatIsMet_shrinksToWhatItTakesAndNoFurther(int perSecond) {
        for (int i = 0; i < 10; i++) {
            dry(10 * MILLI, MILLI / 100);
        }
        makers.fitToDemand(0);
        for (int second = 1; second < 20; second++) {
            for (int i = 0; i < perSecond; i++) {
                makers.taken();
                makers.made(10 * MILLI);
            }
            makers.fitToDemand(second * SECOND);
        }

        assertThat(makers.allowed()).isEqualTo(Math.min(Makers.MOST, 2 * perSecond / 100));
    }

    @Test
    void noDemand_leavesOne() {
        for (int second = 1; second < 20; second++) {
            makers.fitToDemand(second * SECOND);
        }

        assertThat(makers.allowed()).isEqualTo(1);
    }

    /** One round of all makers, after which a taker finds nothing. */
    private void dry(long wallNanos, long cpuNanos) {
        for (int i = 0; i < makers.allowed(); i++) {
            makers.made(wallNanos);
            makers.tookCpu(cpuNanos);
        }
        makers.ranDry();
    }
}
