/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.core.config.ClusterConnectionConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.ha.ReplicaPolicyConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicatedPolicyConfiguration;
import org.apache.activemq.artemis.core.server.ActiveMQServer;

/**
 * The part of a broker in a couple of a primary and its backup, on this host.
 *
 * @param backup whether this broker waits for its primary to fail
 * @param port of the broker itself
 * @param otherPort of the other one
 */
record Replication(boolean backup, int port, int otherPort) {
    private static final int RETRY_MILLIS = 100;
    private static final long SYNCHRONISE_SECONDS = 60;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * Returns the part of a new primary. Its cluster must know both ports before the brokers start, so the system
     * chooses two that are free now.
     */
    static Replication primary() throws IOException {
        InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        try (ServerSocket one = new ServerSocket(0, 1, here);
                ServerSocket other = new ServerSocket(0, 1, here)) {
            return new Replication(false, one.getLocalPort(), other.getLocalPort());
        }
    }

    /** Returns the part of the other broker. */
    Replication other() {
        return new Replication(!backup, otherPort, port);
    }

    /** Makes a broker take its part. Neither broker votes: a third one, which a vote needs, is not there. */
    void configure(Configuration configuration, String password) throws Exception {
        configuration.addConnectorConfiguration("self", "tcp://127.0.0.1:" + port);
        configuration.addConnectorConfiguration("other", "tcp://127.0.0.1:" + otherPort);
        configuration.setClusterPassword(password);
        configuration.addClusterConfiguration(new ClusterConnectionConfiguration()
                .setName("couple")
                .setConnectorName("self")
                .setRetryInterval(RETRY_MILLIS)
                .setStaticConnectors(List.of("other")));
        configuration.setHAPolicyConfiguration(
                backup
                        ? new ReplicaPolicyConfiguration()
                                .setRestartBackup(false)
                                .setMaxSavedReplicatedJournalsSize(0)
                        : new ReplicatedPolicyConfiguration());
    }

    /**
     * Waits until a backup has a copy of all that its primary holds: until then writes are not replicated.
     *
     * @throws IOException if that takes too long
     */
    void awaitSynchronised(ActiveMQServer server) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SYNCHRONISE_SECONDS);
        while (backup && !server.isReplicaSync()) {
            if (System.nanoTime() > end) {
                throw new IOException("backup: not synchronised after " + SYNCHRONISE_SECONDS + " s");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
