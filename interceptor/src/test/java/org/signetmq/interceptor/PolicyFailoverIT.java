/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.config.ha.ReplicaPolicyConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicatedPolicyConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.status.PluginStatus.State;

/** Policies that a broker keeps, on the backup to which it replicates them. */
final class PolicyFailoverIT extends OneBroker {
    @Test
    void backupThatTakesOver_hasTheChangesFromBeforeAndAfterItsStart() throws Exception {
        setup.property("policy-store", "broker");
        TestBroker.Setup second = new TestBroker.Setup(homes, folder.resolve("backup-data"))
                .backup()
                .property("policy-store", "broker");
        TestBroker primary = start(setup.with(configuration -> ReplicationIT.pair(
                configuration, List.of(setup.uri(), second.uri()), new ReplicatedPolicyConfiguration())));
        change(primary, 0, "before.the.backup");
        TestBroker backup = start(second.with(configuration -> ReplicationIT.pair(
                configuration, List.of(second.uri(), setup.uri()), new ReplicaPolicyConfiguration())));
        Awaitility.await().until(() -> backup.server().isReplicaSync());
        change(primary, 1, "with.the.backup");

        primary.crash();
        assertThat(backup.server().waitForActivation(60, TimeUnit.SECONDS)).isTrue();
        Awaitility.await().until(() -> backup.server().isActive());

        assertThat(backup.state().state()).isEqualTo(State.READY);
        assertThat(backup.state().policies().version()).isEqualTo(2);
        Producers.CORE.send(backup, "with.the.backup", "sealed");
        Producers.CORE.send(backup, "before.the.backup", "sealed");
        assertThat(backup.sealed()).isEqualTo(2);
        change(backup, 2, "after.the.failover");
        assertThat(backup.state().policies().version()).isEqualTo(3);
        ControlClient admin = closing(new ControlClient(backup));
        assertThat(admin.call("listHistory").path("former").findValuesAsText("version"))
                .containsExactly("2", "1");
        assertThat(admin.call("listFormerPolicies", 1L, 0).path("text").textValue())
                .contains("before.the.backup")
                .doesNotContain("with.the.backup");
    }

    private static void change(TestBroker broker, long version, String address) throws Exception {
        try (ControlClient admin = new ControlClient(broker)) {
            assertThat(admin.outcome(
                            "setPolicy", version, "{\"pattern\": \"" + address + "\", \"quality\": \"integrity\"}"))
                    .isEqualTo("changed");
        }
    }
}
