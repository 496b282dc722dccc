/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.rr.PairPool.Site;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class PairPoolIT {
    private static final Load LOAD = Load.of(2, 1, 100);

    @Test
    void pairThatFails_isEnded_andTheOthersStay() throws Exception {
        try (PairPool pool = new PairPool(Site.USUAL)) {
            pool.connect(Setting.NONE, LOAD);
            ProcessHandle broker = Collections.min(
                    children(),
                    Comparator.comparing(
                            process -> process.info().startInstant().orElseThrow()));
            pool.connect(Setting.PLAIN, LOAD);
            assertThat(children()).hasSize(4);

            broker.destroyForcibly();
            assertThatIOException().isThrownBy(() -> pool.block(Setting.NONE, new Measurement.Stretch(0, 0.3, 60)));

            assertThat(children()).as("the clients have ended too").hasSize(2);
            assertThat(pool.block(Setting.PLAIN, new Measurement.Stretch(0, 0.3, 0.1))
                            .number(Block.RATE))
                    .isPositive();
        }
        assertThat(children()).isEmpty();
    }

    private static List<ProcessHandle> children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
    }
}
