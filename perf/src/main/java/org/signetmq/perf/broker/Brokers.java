/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.broker;

/**
 * The brokers that share the load of a pair.
 *
 * @param count of brokers that serve clients
 */
public record Brokers(int count, Backup backup) {
    /** One broker without a backup. */
    public static final Brokers ONE = new Brokers(1, Backup.NONE);

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException naming the option
     */
    public Brokers {
        if (count < 1) {
            throw new IllegalArgumentException("brokers: must be above zero, found " + count);
        }
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
