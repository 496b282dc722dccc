/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class HeapPerKeyTest {
    @Test
    void row_namesItsExperiment() {
        assertThat(HeapPerKey.row("raw", 212.5).json().toString())
                .isEqualTo("{\"experiment\":\"E1c heap\",\"keys\":\"raw\",\"bytes_per_key\":212.5}");
    }

    @Test
    void wrappedKey_takesAsMuchMoreAsItsRecipientsTake() throws Exception {
        double raw = HeapPerKey.of(MeasuredWrapping.raw());
        double five = HeapPerKey.of(MeasuredWrapping.rsa(5));
        for (int i = 0; i < 3 && Math.abs(five - raw - 5 * 256) > 200; i++) { // others freed memory meanwhile
            raw = HeapPerKey.of(MeasuredWrapping.raw());
            five = HeapPerKey.of(MeasuredWrapping.rsa(5));
        }

        assertThat(raw).isBetween(50.0, 800.0);
        assertThat(five).isCloseTo(raw + 5 * 256, within(200.0));
    }
}
