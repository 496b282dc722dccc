/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * How long the disk takes to make a write durable. The broker's own set-up measures the same, and collects writes for
 * as long before it makes them durable together.
 */
final class SyncTime {
    private static final int BLOCK = 4096;
    private static final int WRITES = 101;

    private SyncTime() {}

    /** The median of many, in nanoseconds. */
    static long measure(Path folder) throws IOException {
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
            Files.delete(file);
        }
        Arrays.sort(nanos);
        return nanos[WRITES / 2];
    }
}
