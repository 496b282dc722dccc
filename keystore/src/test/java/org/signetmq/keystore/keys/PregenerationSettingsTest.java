/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PregenerationSettingsTest {
    @Test
    void nothingSaid_isAuto() {
        assertThat(PregenerationSettings.of(Map.of("home", "h"))).isEqualTo(PregenerationSettings.AUTO);
    }

    @Test
    void numbersAndAuto_areRead() {
        assertThat(PregenerationSettings.of(
                        Map.of("key-pregenerator.threads", " 32 ", "key-pregenerator.capacity", "auto")))
                .isEqualTo(new PregenerationSettings(OptionalInt.of(32), OptionalInt.empty()));
        assertThat(PregenerationSettings.of(Map.of("key-pregenerator.capacity", "0")))
                .isEqualTo(PregenerationSettings.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65", "-1", "4.5", "", "AUTO", "9999999999"})
    void threadsThatCannotBe_areRejected(String threads) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PregenerationSettings.of(Map.of("key-pregenerator.threads", threads)))
                .withMessage("property 'key-pregenerator.threads': must be auto or a number from 1 to 64, found '"
                        + threads + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "100001", "unlimited"})
    void capacityThatCannotBe_isRejected(String capacity) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PregenerationSettings.of(Map.of("key-pregenerator.capacity", capacity)))
                .withMessageContaining("'key-pregenerator.capacity': must be auto or a number from 0 to 100000");
    }

    @Test
    void numbersInCode_areCheckedAlike() {
        assertThatIllegalArgumentException().isThrownBy(() -> PregenerationSettings.of(65, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> PregenerationSettings.of(1, -1));
    }
}
