/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class MachineTest {
    @Test
    void machine_isDescribedByTheFieldsOfTheDocument() {
        Result machine = Machine.describe();

        assertThat(machine.json().properties())
                .extracting(Map.Entry::getKey)
                .containsExactly(
                        "processor", "processors", "memory_mib", "system", "architecture", "java", "native_crypto");
        assertThat(machine.number("processors")).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(machine.number("memory_mib")).isBetween(64.0, 1e9);
        assertThat(machine.text("system")).startsWith(System.getProperty("os.name"));
        assertThat(machine.text("java")).startsWith(System.getProperty("java.runtime.version"));
        assertThat(machine.text("processor")).isNotBlank();
        assertThat(machine.text("native_crypto")).isNotBlank();
    }

    @Test
    void otherPrograms_areWarnedOf_aboveAQuarterOfTheProcessor() {
        assertThat(Machine.warning(0.5, 0.125))
                .hasValueSatisfying(
                        warning -> assertThat(warning)
                                .isEqualTo(
                                        "signet: warning: other programs take 38 % of the processor: figures will not be reliable"));
        assertThat(Machine.warning(0.375, 0.125)).isEmpty();
        assertThat(Machine.warning(1, 0.75)).isEmpty();
    }

    @Test
    void unknownLoad_countsAsNone() {
        assertThat(Machine.warning(-1, 0.5)).isEmpty();
        assertThat(Machine.warning(0.25, -1)).isEmpty();
        assertThat(Machine.warning(0.5, -1)).isPresent();
    }
}
