/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A large file that is read or written without a copy in the kernel's page cache. That copy can take as much processor
 * time as the cryptography, and it displaces the memory of other processes.
 */
final class Uncached implements ByteChannel {
    static final long WORTHWHILE = 64L << 20; // bytes: a shorter file gains too little

    private static final int BUFFER_LENGTH = 1 << 20;
    private static final int SMALLEST_BLOCK = 4096; // no device has larger sectors, even if a file system claims so

    private final FileChannel file;
    private final boolean writing;
    private final int block; // bytes; accesses begin at multiples of it, in file and memory, and are multiples long
    private final ByteBuffer buffer;
    private long position; // in the file: behind the bytes read, or before the bytes not yet written

    private Uncached(FileChannel file, boolean writing, int block) {
        this.file = file;
        this.writing = writing;
        this.block = block;
        this.buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH + block - 1).alignedSlice(block);
    }

    interface Opening {
        FileChannel open(OpenOption... options) throws IOException;
    }

    /**
     * Opens a file for reading, or an empty one for writing. It bypasses the page cache if that is possible and the
     * file is expected to be large. The place is the file or its folder.
     */
    static ByteChannel open(Path place, Opening opening, StandardOpenOption access, long expected) throws IOException {
        if (expected >= WORTHWHILE) {
            try {
                long block = Math.max(SMALLEST_BLOCK, Files.getFileStore(place).getBlockSize());
                if (block <= BUFFER_LENGTH && Long.bitCount(block) == 1) {
                    FileChannel file = opening.open(access, ExtendedOpenOption.DIRECT);
                    return new Uncached(file, access == StandardOpenOption.WRITE, (int) block).tried();
                }
            } catch (IOException | UnsupportedOperationException e) {
                // any other error shows again when the file is opened in the ordinary way
            }
        }
        return opening.open(access); // not truncated: ext4 would wait at the end until most of it is on the disk
    }

    /** Returns a stream of a channel for reading, which also says how much can be read without waiting. */
    static InputStream stream(ByteChannel channel) {
        InputStream in = Channels.newInputStream(channel); // which says it of ordinary files
        return channel instanceof Uncached uncached
                ? new FilterInputStream(in) {
                    @Override
                    public int available() {
                        return uncached.buffer.remaining();
                    }
                }
                : in;
    }

    /** Tries one access: some file systems fail only then. Bytes that are written to a new file are overwritten. */
    private Uncached tried() throws IOException {
        ByteBuffer first = buffer.duplicate().limit(block);
        try {
            int unused = writing ? file.write(first, 0) : file.read(first, 0);
            buffer.limit(writing ? buffer.capacity() : 0);
            return this;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!buffer.hasRemaining()) {
            fill();
        }
        return buffer.hasRemaining() ? move(buffer, target) : -1;
    }

    /** Fills the buffer. A block that was incomplete, as the last one, is read again from its start. */
    private void fill() throws IOException {
        int known = (int) (position % block);
        buffer.clear();
        try {
            file.read(buffer, position - known);
        } finally {
            buffer.flip(); // nothing may be taken for read that was not
        }
        buffer.position(Math.min(known, buffer.limit()));
        position += buffer.remaining();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int taken = move(source, buffer);
        if (!buffer.hasRemaining()) {
            empty();
        }
        return taken;
    }

    private void empty() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            position += file.write(buffer, position);
        }
        buffer.clear();
    }

    private static int move(ByteBuffer source, ByteBuffer target) {
        int length = Math.min(source.remaining(), target.remaining());
        target.put(source.slice(source.position(), length));
        source.position(source.position() + length);
        return length;
    }

    @Override
    public boolean isOpen() {
        return file.isOpen();
    }

    /** Fills the last block of a new file with zeros, and cuts them off again. */
    @Override
    public void close() throws IOException {
        try (file) {
            if (writing && file.isOpen()) {
                long length = position + buffer.position();
                while (buffer.position() % block != 0) {
                    buffer.put((byte) 0);
                }
                empty();
                file.truncate(length);
            }
        }
    }
}
