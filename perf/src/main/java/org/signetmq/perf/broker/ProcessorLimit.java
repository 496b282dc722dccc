/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A limit on the processor time of processes: a control group of the kernel, of version 1 or 2. Needs root. For one
 * thread.
 */
public final class ProcessorLimit implements AutoCloseable {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    /** Short, so that processes do not stand still for long when their share of it is used up. */
    private static final long PERIOD_MICROS = 10_000;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Path group;

    private ProcessorLimit(Path group) {
        this.group = group;
    }

    /**
     * Makes a control group with this limit.
     *
     * @param cores whose processor time all processes together may use
     * @throws IOException if the system has no control groups for processors, or this process may not make one
     */
    public static ProcessorLimit of(double cores) throws IOException {
        return in(GROUPS, cores);
    }

    static ProcessorLimit in(Path groups, double cores) throws IOException {
        Path ofProcessors = groups.resolve("cpu"); // version 1 has a folder for each controller
        boolean isFirstVersion = Files.isDirectory(ofProcessors);
        if (!isFirstVersion && !Files.exists(groups.resolve("cgroup.subtree_control"))) {
            throw new IOException(groups + ": no control groups for processors");
        }
        String name = "signet-perf-" + UUID.randomUUID();
        long micros = Math.round(cores * PERIOD_MICROS);
        if (isFirstVersion) {
            ProcessorLimit limit = new ProcessorLimit(Files.createDirectory(ofProcessors.resolve(name)));
            limit.set("cpu.cfs_period_us", Long.toString(PERIOD_MICROS));
            limit.set("cpu.cfs_quota_us", Long.toString(micros));
            return limit;
        }
        Files.writeString(groups.resolve("cgroup.subtree_control"), "+cpu");
        ProcessorLimit limit = new ProcessorLimit(Files.createDirectory(groups.resolve(name)));
        limit.set("cpu.max", micros + " " + PERIOD_MICROS);
        return limit;
    }

    private void set(String file, String value) throws IOException {
        try {
            Files.writeString(group.resolve(file), value);
        } catch (IOException e) {
            try {
                close();
            } catch (IOException more) {
                e.addSuppressed(more);
            }
            throw e;
        }
    }

    /** Limits a process with all its threads. */
    public void add(long process) throws IOException {
        Files.writeString(group.resolve("cgroup.procs"), Long.toString(process));
    }

    /** Deletes the control group, when its processes have ended. */
    @Override
    public void close() throws IOException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                Files.deleteIfExists(group); // the kernel allows it with the files inside
                return;
            } catch (IOException inUse) {
                if (System.nanoTime() > end) {
                    throw inUse;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }
}
