/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.signetmq.keystore.epoch.PregenerationSettings;

final class PoolTest {
    @Test
    void publishedPools_haveTheNamesOfTheTables() {
        assertThat(Pool.PUBLISHED)
                .extracting(Pool::name)
                .containsExactly("off", "(4,100)", "(32,1000)", "(4,2000)", "(32,2000)", "auto");
    }

    @Test
    void pool_hasItsThreadsAndItsCapacity() {
        PregenerationSettings settings = Pool.of(4, 100).settings();

        assertThat(settings.threads()).hasValue(4);
        assertThat(settings.capacity()).hasValue(100);
        assertThat(Pool.of(4, 100)).isEqualTo(Pool.DEFAULT).isNotEqualTo(Pool.TUNED);
    }
}
