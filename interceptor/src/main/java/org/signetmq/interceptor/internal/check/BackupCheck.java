/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import org.apache.activemq.artemis.core.client.impl.TopologyMemberImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.cluster.ClusterConnection;
import org.apache.activemq.artemis.core.server.cluster.ha.HAPolicy;
import org.apache.activemq.artemis.core.server.cluster.ha.PrimaryOnlyPolicy;

/** Checks that a broker of a pair has its backup. */
record BackupCheck(ActiveMQServer server) implements Check {
    @Override
    public void look(Findings found) {
        HAPolicy<?> policy = server.getHAPolicy();
        boolean hasReported = policy.isSharedStore() ? isAnnounced() : server.isReplicaSync();
        if (!(policy instanceof PrimaryOnlyPolicy) && !hasReported) {
            found.warn(
                    "this broker is one of a pair, and no backup has reported: none takes over if it fails",
                    "start the backup, with the plugin and the same home; or remove <ha-policy> from broker.xml");
        }
    }

    /** Returns whether a backup waits for the store that it shares with this broker. */
    private boolean isAnnounced() {
        ClusterConnection cluster = server.getClusterManager().getDefaultConnection(null);
        TopologyMemberImpl own = cluster == null
                ? null
                : cluster.getTopology().getMember(server.getNodeID().toString());
        return own != null && own.getBackup() != null;
    }
}
