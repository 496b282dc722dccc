/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.testkit.Tier;

final class UnwrapCountTest {
    @Test
    void cacheForAllProducers_unwrapsEachKeyOnce() throws Exception {
        assertThat(new UnwrapCount().perMessage(8, 64)).isEqualTo(1.0 / UnwrapCount.REUSE);
    }

    @Tag(Tier.LONG)
    @Test
    void cacheThatIsFull_stillUnwrapsEachKeyOnce() throws Exception {
        assertThat(new UnwrapCount().perMessage(4, 4)).isEqualTo(1.0 / UnwrapCount.REUSE);
    }

    @Test
    void row_namesItsExperiment() {
        assertThat(UnwrapCount.row(8, 64, 0.5).json().toString())
                .isEqualTo("{\"experiment\":\"E3b\",\"producers\":8,\"cache\":64,\"unwraps_per_message\":0.5}");
    }

    @Tag(Tier.LONG)
    @Test
    void cacheOfOneKey_unwrapsForEachMessageOnceProducersTakeTurns() throws Exception {
        assertThat(new UnwrapCount().perMessage(1, 1)).isEqualTo(1.0 / UnwrapCount.REUSE);
        assertThat(new UnwrapCount().perMessage(4, 1)).isEqualTo(1.0);
    }
}
