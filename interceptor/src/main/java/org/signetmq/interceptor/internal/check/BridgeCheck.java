/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import org.apache.activemq.artemis.core.config.BridgeConfiguration;
import org.apache.activemq.artemis.core.config.ClusterConnectionConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;

/** Checks that bridges keep messages that the other broker's Signet rejects. */
record BridgeCheck(Configuration configuration) implements Check {
    private static final String LOSES =
            " has no duplicate detection, so it loses messages that Signet in the other broker rejects";

    @Override
    public void look(Findings found) {
        for (BridgeConfiguration bridge : configuration.getBridgeConfigurations()) {
            if (!bridge.isUseDuplicateDetection()) {
                found.warn(
                        "bridge " + Shown.name(String.valueOf(bridge.getName())) + LOSES,
                        "set <use-duplicate-detection> of the bridge to true, and restart the broker");
            }
        }
        for (ClusterConnectionConfiguration cluster : configuration.getClusterConfigurations()) {
            if (!cluster.isDuplicateDetection()) {
                found.warn(
                        "cluster connection " + Shown.name(String.valueOf(cluster.getName())) + LOSES,
                        "set <use-duplicate-detection> of the cluster connection to true, and restart the broker");
            }
        }
    }
}
