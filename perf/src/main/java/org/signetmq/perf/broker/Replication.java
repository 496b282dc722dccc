/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
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
 * @param port of the broker itself
 * @param otherPort of the other one
 */
public record Replication(Role role, int port, int otherPort) {
    private static final String SELF = "self";
    private static final String OTHER = "other";
    private static final int RETRY_MILLIS = 100;
    private static final long SYNCHRONISE_SECONDS = 60;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The role of a broker. */
    public enum Role {
        PRIMARY,
        BACKUP
    }

    /**
     * Returns the part of a new primary. Its cluster must know both ports before the brokers start, so the system
     * chooses two that are free now.
     */
    public static Replication primary() throws IOException {
        InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        try (ServerSocket one = new ServerSocket(0, 1, here);
                ServerSocket other = new ServerSocket(0, 1, here)) {
            return new Replication(Role.PRIMARY, one.getLocalPort(), other.getLocalPort());
        }
    }

    /** Returns the part of the other broker. */
    public Replication other() {
        return new Replication(role == Role.PRIMARY ? Role.BACKUP : Role.PRIMARY, otherPort, port);
    }

    /** Tells whether the broker waits for its primary to fail. */
    public boolean isBackup() {
        return role == Role.BACKUP;
    }

    /** Returns the text that {@link #of} reads. */
    public String argument() {
        return role.name().toLowerCase(Locale.ROOT) + ":" + port + ":" + otherPort;
    }

    /** Returns the part with this text. */
    public static Replication of(String argument) {
        List<String> parts = List.of(argument.split(":"));
        return new Replication(
                Role.valueOf(parts.get(0).toUpperCase(Locale.ROOT)),
                Integer.parseInt(parts.get(1)),
                Integer.parseInt(parts.get(2)));
    }

    /** Makes a broker take its part. Neither broker votes: a third one, which a vote needs, is not there. */
    public void configure(Configuration configuration, String password) throws Exception {
        configuration.addConnectorConfiguration(SELF, "tcp://127.0.0.1:" + port);
        configuration.addConnectorConfiguration(OTHER, "tcp://127.0.0.1:" + otherPort);
        configuration.setClusterPassword(password);
        configuration.addClusterConfiguration(new ClusterConnectionConfiguration()
                .setName("couple")
                .setConnectorName(SELF)
                .setRetryInterval(RETRY_MILLIS)
                .setStaticConnectors(List.of(OTHER)));
        configuration.setHAPolicyConfiguration(
                role == Role.PRIMARY
                        ? new ReplicatedPolicyConfiguration()
                        : new ReplicaPolicyConfiguration()
                                .setRestartBackup(false)
                                .setMaxSavedReplicatedJournalsSize(0));
    }

    /**
     * Waits until a backup has a copy of all that its primary holds: until then writes are not replicated.
     *
     * @throws IOException if that takes too long
     */
    public void awaitSynchronised(ActiveMQServer server) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SYNCHRONISE_SECONDS);
        while (isBackup() && !server.isReplicaSync()) {
            if (System.nanoTime() > end) {
                throw new IOException("backup: not synchronised after " + SYNCHRONISE_SECONDS + " s");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
