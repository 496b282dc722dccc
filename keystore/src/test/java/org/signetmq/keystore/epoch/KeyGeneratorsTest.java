/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyGeneratorsTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final int CORES = 4;

    private final KeyGenerators generators = KeyGenerators.learning(CORES, 0);

    @Test
    void fixed_neverChanges() {
        KeyGenerators fixed = KeyGenerators.fixed(3);
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

        assertThat(generators.allowed()).isEqualTo(CORES);
    }

    @Test
    void waitingWraps_doubleWhileDryUpToTheLimit() {
        dry(10 * MILLI, MILLI / 100);
        assertThat(generators.allowed()).isEqualTo(2 * CORES);
        dry(10 * MILLI, MILLI / 100);
        assertThat(generators.allowed()).isEqualTo(4 * CORES);

        for (int i = 0; i < 10; i++) {
            dry(10 * MILLI, MILLI / 100);
        }
        assertThat(generators.allowed()).isEqualTo(KeyGenerators.MOST);
    }

    @Test
    void halfWaitingWraps_getAsManyAsBusyAllCores() {
        for (int i = 0; i < 10; i++) {
            dry(2 * MILLI, MILLI);
        }

        assertThat(generators.allowed()).isEqualTo(2 * CORES);
    }

    /** Other threads in the way make a wrap look as if it waited, but not all wraps. */
    @Test
    void interruptedComputing_isNotTakenForWaiting() {
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < generators.allowed(); j++) {
                generators.made(j == 0 ? MILLI : 20 * MILLI);
                generators.tookCpu(MILLI);
            }
            generators.ranDry();
        }

        assertThat(generators.allowed()).isEqualTo(CORES);
    }

    @Test
    void notDry_staysAsItIs() {
        for (int i = 0; i < 1000; i++) {
            generators.taken();
            generators.made(10 * MILLI);
            generators.tookCpu(0);
        }

        assertThat(generators.allowed()).isEqualTo(CORES);
    }

    /** It costs more than such a wrap. */
    @Test
    void quickWraps_areSeldomAskedForTheirCpuTime() {
        int asked = 0;
        for (int i = 0; i < 3200; i++) {
            asked += generators.wantsCpuTime() ? 1 : 0;
            generators.made(2_000);
        }

        assertThat(asked).isEqualTo(100);
    }

    @Test
    void slowWraps_areAllAskedForTheirCpuTime() {
        dry(MILLI, MILLI);
        generators.made(MILLI);

        assertThat(generators.wantsCpuTime()).isTrue();
    }

    @Test
    void tooFewWrapsSinceTheLastChange_tellNothing() {
        generators.made(10 * MILLI);
        generators.tookCpu(0);
        generators.ranDry();
        generators.ranDry();

        assertThat(generators.allowed()).isEqualTo(CORES);
    }

    /** A service that does one thing after the other: more requests at once only wait longer. */
    @Test
    void serialService_isNotFlooded() {
        for (int i = 0; i < 100; i++) {
            dry(generators.allowed() * MILLI, MILLI / 100);

            assertThat(generators.allowed()).isLessThanOrEqualTo(2 * CORES);
        }
        assertThat(generators.allowed()).isEqualTo(CORES);
    }

    @Test
    void serialServiceThatBecameParallel_getsMoreAfterAWhile() {
        dry(MILLI, 0);
        dry(8 * MILLI, 0);
        assertThat(generators.allowed()).isEqualTo(CORES);

        generators.fitToDemand(SECOND);
        dry(MILLI, 0);

        assertThat(generators.allowed()).isEqualTo(2 * CORES);
    }

    /** Little's law: 400 keys a second of 10 ms each keep 4 generators busy; twice as many may stand by. */
    @ParameterizedTest
    @ValueSource(ints = {400, 4_000})
    void demandThatIsMet_shrinksToWhatItTakesAndNoFurther(int perSecond) {
        for (int i = 0; i < 10; i++) {
            dry(10 * MILLI, MILLI / 100);
        }
        generators.fitToDemand(0);
        for (int second = 1; second < 20; second++) {
            for (int i = 0; i < perSecond; i++) {
                generators.taken();
                generators.made(10 * MILLI);
            }
            generators.fitToDemand(second * SECOND);
        }

        assertThat(generators.allowed()).isEqualTo(Math.min(KeyGenerators.MOST, 2 * perSecond / 100));
    }

    @Test
    void noDemand_leavesOne() {
        for (int second = 1; second < 20; second++) {
            generators.fitToDemand(second * SECOND);
        }

        assertThat(generators.allowed()).isEqualTo(1);
    }

    /** One round of all generators, after which a taker finds nothing. */
    private void dry(long wallNanos, long cpuNanos) {
        for (int i = 0; i < generators.allowed(); i++) {
            generators.made(wallNanos);
            generators.tookCpu(cpuNanos);
        }
        generators.ranDry();
    }
}
