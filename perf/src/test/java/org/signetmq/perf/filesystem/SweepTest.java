/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.rr.RunOptions;

final class SweepTest {
    @Test
    void firstLook_endsWithinFiveMinutes() {
        assertThat(seconds(RunOptions.quick(FilesystemCommand.QUICK_TIMING), true))
                .isLessThan(250);
    }

    @Test
    void allScenarios_endWithinAnHour() {
        assertThat(seconds(FilesystemCommand.TIMING, false)).isLessThan(56 * 60);
    }

    private static double seconds(Timing timing, boolean isQuick) {
        double stages = new Sweep()
                .stages(timing, isQuick).stream()
                        .mapToDouble(stage -> stage.plan().seconds())
                        .sum();
        return isQuick
                ? stages
                : stages
                        + new ColdReads(ColdReads.USUAL_MEBIBYTES, timing.warmUpSeconds() / 2).seconds()
                        + new Coverage().seconds();
    }
}
