/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.keys.Situation.Arrival;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class PoolExperimentTest {
    @Test
    void situations_areAllKeysWithAllArrivals_thenTheSweepAndTheOtherMixes() throws Exception {
        List<Situation> situations = new PoolExperiment(false).situations();

        assertThat(situations.stream().collect(groupingBy(Situation::experiment, counting())))
                .isEqualTo(Map.of("E1a/b", 12L * Arrival.values().length, "E1c", 2L, "E1d", 4L));
        assertThat(situations)
                .extracting(Situation::name)
                .startsWith("E1a/b raw, closed loop, 80/20", "E1a/b raw, saturated, 80/20", "E1a/b raw, bursts, 80/20")
                .endsWith(
                        "E1c wrapped R=5, closed loop, 80/20",
                        "E1d wrapped R=5, closed loop, 100/0",
                        "E1d wrapped R=5, closed loop, 0/100",
                        "E1c service 3 ms, closed loop, 80/20",
                        "E1d service 3 ms, closed loop, 100/0",
                        "E1d service 3 ms, closed loop, 0/100")
                .doesNotHaveDuplicates();
    }

    @Test
    void quickSituations_haveFewerKeys_andTheSameSweep() throws Exception {
        List<Situation> situations = new PoolExperiment(true).situations();

        assertThat(situations).hasSize(7 * 3 + 2 * 3);
        assertThat(situations).extracting(Situation::name).contains("E1c service 3 ms, closed loop, 80/20");
    }

    @Test
    void sweep_hasNoneAndAuto_thenEachNumberOfThreadsWithEachCapacity() {
        assertThat(new PoolExperiment(true).sweep())
                .extracting(Pool::name)
                .containsExactly("off", "auto", "(1,100)", "(1,2000)", "(4,100)", "(4,2000)", "(32,100)", "(32,2000)");
        assertThat(new PoolExperiment(false).sweep()).hasSize(2 + 6 * 5).doesNotHaveDuplicates();
    }
}
