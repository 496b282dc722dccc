/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.micro.Rows.Depth;

final class DepthTest {
    @Test
    void severalThreads_warmUpLonger() {
        assertThat(Depth.FULL.warmups(1)).isEqualTo(5);
        assertThat(Depth.FULL.warmups(2)).isEqualTo(15);
        assertThat(Depth.SHORT.warmups(2)).isEqualTo(6);
    }

    @Test
    void row_takesItsIterationsAndASecond_inEachOfItsProcesses() {
        assertThat(Depth.FULL.of(1)).isEqualTo(Duration.ofSeconds(3 * (5 + 5 + 1)));
        assertThat(Depth.FULL.of(2)).isEqualTo(Duration.ofSeconds(3 * (15 + 5 + 1)));
        assertThat(Depth.QUICK.of(1)).isEqualTo(Duration.ofMillis(6 * 600 + 1000));
        assertThat(Depth.SHORT.of(1)).as("in this process").isEqualTo(Duration.ofMillis(4 * 350 + 1000));
    }
}
