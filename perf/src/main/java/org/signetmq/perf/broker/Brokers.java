/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.broker;

/**
 * The brokers that share the load of a pair.
 *
 * @param count of brokers that serve clients
 * @param cores whose processor time all broker processes together may use; 0 for no limit
 */
public record Brokers(int count, Backup backup, double cores) {
    /** One broker without a backup. */
    public static final Brokers ONE = new Brokers(1, Backup.NONE);

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException naming the option
     */
    public Brokers {
        if (!(cores >= 0)) {
            throw new IllegalArgumentException("cores: must not be below zero, found " + cores);
        }
        if (count < 1) {
            throw new IllegalArgumentException("brokers: must be above zero, found " + count);
        }
    }

    /** Makes brokers without a limit on processor time. */
    public Brokers(int count, Backup backup) {
        this(count, backup, 0);
    }

    /** Returns one broker with a limit on processor time. */
    public static Brokers limitedTo(double cores) {
        return new Brokers(1, Backup.NONE, cores);
    }

    /** The kind of backup that each broker has. */
    public enum Backup {
        NONE,
        /** A process that receives a copy of each write, and confirms it. */
        REPLICA
    }

    /** Returns the number of broker processes, backups included. */
    public int processes() {
        return backup == Backup.NONE ? count : 2 * count;
    }
}
