/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.signetmq.perf.broker.Brokers.Backup;
import org.signetmq.perf.broker.Replication.Role;

final class ReplicationTest {
    @Test
    void primary_hasTwoPorts_andItsBackupHasThemTheOtherWayRound() throws Exception {
        Replication primary = Replication.primary();

        assertThat(primary.isBackup()).isFalse();
        assertThat(primary.port()).isPositive().isNotEqualTo(primary.otherPort());
        assertThat(primary.other())
                .isEqualTo(new Replication(Role.BACKUP, primary.otherPort(), primary.port()))
                .returns(true, Replication::isBackup);
        assertThat(primary.other().other()).isEqualTo(primary);
    }

    @Test
    void argument_isReadAgain() {
        Replication backup = new Replication(Role.BACKUP, 5, 6);

        assertThat(backup.argument()).isEqualTo("backup:5:6");
        assertThat(Replication.of("backup:5:6")).isEqualTo(backup);
    }

    @Test
    void processes_countBackups() {
        assertThat(new Brokers(3, Backup.NONE).processes()).isEqualTo(3);
        assertThat(new Brokers(3, Backup.REPLICA).processes()).isEqualTo(6);
        assertThatThrownBy(() -> new Brokers(0, Backup.NONE)).hasMessage("brokers: must be above zero, found 0");
    }
}
