/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.broker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A disk for journals.
 *
 * @param folder where each broker gets a folder for its journal
 * @param daemon the process that does the work of the file system; null if the kernel does
 */
public record Disk(Path folder, @Nullable ProcessHandle daemon) {
    private static final int BLOCK = 4096;
    private static final int WRITES = 101;

    /** Returns a disk whose file system works in the kernel. */
    public static Disk of(Path folder) {
        return new Disk(folder, null);
    }

    /** Returns the processor time of the daemon since its start, in milliseconds; NaN if there is none. */
    public double daemonCpuMillis() {
        return daemon == null
                ? Double.NaN
                : daemon.info()
                        .totalCpuDuration()
                        .map(Duration::toMillis)
                        .map(Long::doubleValue)
                        .orElse(Double.NaN);
    }

    /**
     * Returns how long the disk takes to make a write durable, the median of many. The broker's own set-up measures the
     * same, and collects writes for as long before it makes them durable together.
     */
    public long syncNanos() throws IOException {
        Path file = Files.createTempFile(folder, "sync", ".bin");
        long[] nanos = new long[WRITES];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(BLOCK * WRITES), 0);
            channel.force(true);
            for (int i = 0; i < WRITES; i++) {
                long start = System.nanoTime();
                channel.write(ByteBuffer.allocate(BLOCK), (long) i * BLOCK);
                channel.force(false);
                nanos[i] = System.nanoTime() - start;
            }
        } finally {
            Files.delete(file); // not on opening, as Java would: gocryptfs does not force a file without a name
        }
        Arrays.sort(nanos);
        return nanos[WRITES / 2];
    }
}
