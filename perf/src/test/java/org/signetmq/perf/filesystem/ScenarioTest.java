/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.perf.broker.Brokers;
import org.signetmq.perf.published.PublishedDocument;

final class ScenarioTest {
    @ParameterizedTest
    @CsvSource({"ONE,1,1,10", "SEVERAL,3,3,12", "HA,1,2,10", "SEVERAL_HA,3,6,12", "HALF_CORE,1,1,10", "ONE_CORE,1,1,10"
    })
    void scenario_hasItsBrokers_andTheSameNumberOfQueuesOnEach(
            Scenario scenario, int count, int processes, int queues) {
        Brokers brokers = scenario.brokers(3);

        assertThat(brokers.count()).isEqualTo(count);
        assertThat(brokers.processes()).isEqualTo(processes);
        assertThat(scenario.queues(3)).isEqualTo(queues);
    }

    @ParameterizedTest
    @EnumSource
    void scenario_isFoundByItsLabel_andIsPublished(Scenario scenario) {
        assertThat(Scenario.named(scenario.label())).isEqualTo(scenario);
        assertThat(PublishedDocument.encryptedFileSystem()
                        .figure("throughput")
                        .curve(scenario.published() + ".A")
                        .at(2048))
                .isNegative();
    }

    @Test
    void smallMachines_haveALimit() {
        assertThat(Scenario.HALF_CORE.brokers(3).cores()).isEqualTo(0.5);
        assertThat(Scenario.ONE_CORE.brokers(3).cores()).isEqualTo(1);
        assertThat(Scenario.ONE.isLimited()).isFalse();
    }

    @Test
    void otherLabel_isRejected() {
        assertThatThrownBy(() -> Scenario.named("two"))
                .hasMessage(
                        "scenario: must be one of one, several, ha, several-ha, half-core, one-core, cold, coverage, found 'two'");
    }
}
