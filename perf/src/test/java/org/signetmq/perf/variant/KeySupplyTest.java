/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.variant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.epoch.PregenerationSettings;

final class KeySupplyTest {
    @ParameterizedTest
    @CsvSource({"1,auto,''", "20,auto,+r20", "1,off,+pool-off", "5,32-1000,+r5+pool-32-1000"})
    void suffix_namesWhatIsNotUsual(int recipients, String pool, String suffix) {
        assertThat(new KeySupply(recipients, pool).suffix()).isEqualTo(suffix);
    }

    @Test
    void properties_areThoseOfThePlugin() {
        assertThat(settings(KeySupply.AUTO)).isEqualTo(PregenerationSettings.AUTO);
        assertThat(settings(KeySupply.OFF)).isEqualTo(PregenerationSettings.OFF);
        assertThat(settings(KeySupply.pool(4, 100))).isEqualTo(PregenerationSettings.of(4, 100));
        assertThat(new KeySupply(1, "4-100").properties())
                .isEqualTo(Map.of("key-pregenerator.threads", "4", "key-pregenerator.capacity", "100"));
    }

    private static PregenerationSettings settings(String pool) {
        return PregenerationSettings.of(new KeySupply(1, pool).properties());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4", "4,100", "-4-100", "on"})
    void unknownPool_isRejected(String pool) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KeySupply(1, pool))
                .withMessage("pool: must be auto, off or threads and capacity such as 4-100, found '" + pool + "'");
    }

    @Test
    void noRecipient_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KeySupply(0, KeySupply.AUTO))
                .withMessage("recipients: must be above zero, found 0");
    }
}
