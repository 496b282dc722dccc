/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.activemq.artemis.core.config.BridgeConfiguration;
import org.apache.activemq.artemis.core.config.ClusterConnectionConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.junit.jupiter.api.Test;

final class BridgeCheckTest {
    private final ConfigurationImpl configuration = new ConfigurationImpl();

    @Test
    void defaults_areRight() {
        configuration.addBridgeConfiguration(new BridgeConfiguration().setName("to-other"));
        configuration.addClusterConfiguration(new ClusterConnectionConfiguration().setName("cluster"));

        assertThat(Checks.found(Area.BRIDGES, new BridgeCheck(configuration))).isEmpty();
    }

    @Test
    void withoutDuplicateDetection_rejectedMessagesAreLost() {
        configuration.addBridgeConfiguration(
                new BridgeConfiguration().setName("to\u001b-other").setUseDuplicateDetection(false));
        configuration.addClusterConfiguration(
                new ClusterConnectionConfiguration().setName("cluster").setDuplicateDetection(false));

        assertThat(Checks.found(Area.BRIDGES, new BridgeCheck(configuration)))
                .extracting(BrokerFinding::what)
                .satisfiesExactly(
                        bridge -> assertThat(bridge).startsWith("bridge 'to?-other' has no duplicate detection"),
                        cluster -> assertThat(cluster).startsWith("cluster connection 'cluster' has no duplicate"));
    }
}
