/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;

final class DemoIT {
    private static final int MESSAGES = 7;

    @TempDir
    private Path folder;

    @Test
    void everyProtocolUnderEveryQuality_arrivesAndIsHiddenWhereItShouldBe() throws Exception {
        List<String> progress = new ArrayList<>();

        Demo.Report report = new Demo(MESSAGES, SealingPlace.BROKER, folder, progress::add).run();

        assertThat(report.rows()).hasSize(20).allSatisfy(row -> {
            assertThat(row.sent()).isEqualTo(MESSAGES);
            assertThat(row.opened()).as(row.toString()).isEqualTo(MESSAGES);
            assertThat(row.foundInClear()).as(row.toString()).isEqualTo(row.hidden() ? 0 : MESSAGES);
            assertThat(row.bytesAdded() > 0).isEqualTo(!row.quality().equals(QualityOfProtection.NONE.label()));
        });
        assertThat(report.ok()).isTrue();
        assertThat(report.searchedFiles()).isPositive();
        assertThat(progress).isNotEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void producersSeal_everyProtocolArrives_andTheBrokerRefusesWhatIsInClear() throws Exception {
        Demo.Report report = new Demo(MESSAGES, SealingPlace.CLIENT, folder, step -> {}).run();

        assertThat(report.rows()).hasSize(20).allSatisfy(row -> {
            assertThat(row.opened()).as(row.toString()).isEqualTo(MESSAGES);
            assertThat(row.foundInClear()).as(row.toString()).isEqualTo(row.hidden() ? 0 : MESSAGES);
        });
        assertThat(report.clearRefused()).as("protected lanes").isEqualTo(16);
        assertThat(report.ok()).isTrue();
        assertThat(folder).isEmptyDirectory();
    }
}
