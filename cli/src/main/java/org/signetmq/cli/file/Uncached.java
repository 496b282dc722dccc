/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A large file without a copy in the kernel's page cache. That copy can take as much processor time as the
 * cryptography, and it displaces the memory of other processes.
 *
 * @param block bytes: each access begins at a multiple of it, in the file and in memory, and is a multiple long
 */
record Uncached(FileChannel channel, int block) {
    /** The least length in bytes. A shorter file gains too little. */
    static final long WORTHWHILE = 64L << 20;

    private static final int BUFFER_LENGTH = 1 << 20;

    /** No device has larger sectors, even if a file system claims so. */
    private static final int SMALLEST_BLOCK = 4096;

    @FunctionalInterface
    interface Opening {
        FileChannel open(OpenOption... options) throws IOException;
    }

    /** Opens a file for reading; through the cache if it is short, or where that cannot be avoided. */
    static InputStream input(Path file) throws IOException {
        Uncached uncached = Files.isRegularFile(file) && Files.size(file) >= WORTHWHILE
                ? open(file, options -> FileChannel.open(file, options), StandardOpenOption.READ)
                : null;
        return uncached == null ? Files.newInputStream(file) : new UncachedInput(uncached);
    }

    /**
     * A stream into a file that is there and empty; through the cache where that cannot be avoided.
     *
     * @param place the file, or its folder
     * @param opening opens the file
     * @param expected about how many bytes will be written, if that is known; otherwise a negative number
     */
    static OutputStream output(Path place, Opening opening, long expected) throws IOException {
        Uncached uncached = expected >= WORTHWHILE ? open(place, opening, StandardOpenOption.WRITE) : null;
        // not truncated: ext4 would wait, when it is closed, until most of it is on the disk
        return uncached == null
                ? Channels.newOutputStream(opening.open(StandardOpenOption.WRITE))
                : new UncachedOutput(uncached);
    }

    /**
     * Returns null if the system cannot do it. Any other error shows again when the file is opened in the ordinary way.
     */
    static @Nullable Uncached open(Path place, Opening opening, StandardOpenOption access) {
        try {
            long block = Math.max(SMALLEST_BLOCK, Files.getFileStore(place).getBlockSize());
            return block <= BUFFER_LENGTH && Long.bitCount(block) == 1 ? open(opening, access, (int) block) : null;
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** Tries one access: some file systems fail only then. Bytes that are written to a new file are overwritten. */
    private static Uncached open(Opening opening, StandardOpenOption access, int block) throws IOException {
        Uncached uncached = new Uncached(opening.open(access, ExtendedOpenOption.DIRECT), block);
        ByteBuffer first = uncached.buffer().limit(block);
        try {
            int unused = access == StandardOpenOption.READ
                    ? uncached.channel.read(first, 0)
                    : uncached.channel.write(first, 0);
            return uncached;
        } catch (IOException e) {
            uncached.channel.close();
            throw e;
        }
    }

    /** Allocates memory that begins at a block and is whole blocks long. */
    ByteBuffer buffer() {
        return ByteBuffer.allocateDirect(BUFFER_LENGTH + block - 1).alignedSlice(block);
    }
}
