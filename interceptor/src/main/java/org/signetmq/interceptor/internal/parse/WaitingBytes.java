/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;

/**
 * Keeps bytes of an unfinished body until more of it arrives: in memory as long as its space allows, or else in a file.
 * The memory grows with the bytes. For one thread at a time.
 */
public final class WaitingBytes implements BodyStage {
    private static final int LEAST = 4 << 10;

    private final Space space;
    private final int mostInMemory;
    private byte[] held = new byte[0];
    private @Nullable Overflow file;
    private int inMemory;
    private int used;
    private long length;

    /** Grants the memory and the files of one message. Without a limit it counts nothing, and never needs a file. */
    public interface Space extends AutoCloseable {
        /** Memory without a limit, for a body that no thread waits for. */
        Space UNLIMITED = new Space() {};

        /** Returns an array of at least this length; null if the limits do not allow it. */
        default byte @Nullable [] take(int length) {
            return new byte[length];
        }

        /** Returns an array that the caller does not use again. It has no payload. */
        default void giveBack(byte[] array) {
            // the garbage collector frees it
        }

        /** Counts memory that the caller allocates; returns false if the limits do not allow it. */
        default boolean reserve(int bytes) {
            return true;
        }

        /** Ends the count of memory that the caller allocated. */
        default void release(int bytes) {
            // nothing was counted
        }

        /** Makes an empty file. */
        default Overflow file() throws Exception {
            throw new IllegalStateException("memory: has no limit");
        }

        /** Ends the message, and gives all back. A repeated call has no effect. */
        @Override
        default void close() {
            // nothing was counted
        }
    }

    /** Keeps the bytes that have no room in memory. */
    public interface Overflow {
        /**
         * Appends bytes.
         *
         * @throws MessageRejectedException if the limits do not allow it
         */
        void add(byte[] bytes, int offset, int length) throws Exception;

        /** Passes all bytes to a reader. */
        void read(Reader reader) throws Exception;

        /** Deletes the file. A repeated call has no effect. */
        void delete() throws Exception;
    }

    /** Receives the content, part by part. */
    @FunctionalInterface
    public interface Reader {
        void add(byte[] bytes, int offset, int length) throws Exception;
    }

    /** Passes a whole body to a reader, part by part. */
    @FunctionalInterface
    public interface Content {
        void read(Reader reader) throws Exception;
    }

    /**
     * Makes an empty place.
     *
     * @param mostInMemory the greatest part in memory, in bytes
     */
    public WaitingBytes(Space space, int mostInMemory) {
        this.space = space;
        this.mostInMemory = mostInMemory;
    }

    /**
     * Appends bytes.
     *
     * @throws MessageRejectedException if the limits do not allow it
     */
    @Override
    public void add(byte[] bytes, int offset, int added) throws Exception {
        Overflow overflow = file == null && !hasRoom(added) ? overflow() : file;
        if (overflow == null) {
            System.arraycopy(bytes, offset, held, inMemory, added);
            inMemory += added;
            used = Math.max(used, inMemory);
        } else {
            overflow.add(bytes, offset, added);
        }
        length += added;
    }

    @Override
    public void finish() {
        // the bytes wait
    }

    private boolean hasRoom(int more) {
        long needed = (long) inMemory + more;
        if (needed <= held.length) {
            return true;
        }
        if (needed > mostInMemory && space != Space.UNLIMITED) {
            return false;
        }
        byte[] longer = space.take((int)
                Math.max(needed, Math.min(Math.max(LEAST, 2L * held.length), Math.max(mostInMemory, needed))));
        if (longer == null) {
            return false;
        }
        System.arraycopy(held, 0, longer, 0, inMemory);
        release();
        held = longer;
        used = inMemory;
        return true;
    }

    private Overflow overflow() throws Exception {
        Overflow made = space.file();
        file = made;
        if (inMemory > 0) {
            made.add(held, 0, inMemory);
        }
        inMemory = 0;
        release();
        return made;
    }

    private void release() {
        Arrays.fill(held, 0, used, (byte) 0);
        used = 0;
        if (held.length > 0) {
            space.giveBack(held);
            held = new byte[0];
        }
    }

    /** Returns the number of bytes. */
    public long length() {
        return length;
    }

    /** Passes all bytes to a reader. */
    public void read(Reader reader) throws Exception {
        if (file == null) {
            if (inMemory > 0) {
                reader.add(held, 0, inMemory);
            }
        } else {
            file.read(reader);
        }
    }

    /** Passes all bytes to a reader in one array, and wipes the array if it is a copy of a file. */
    public void readWhole(Reader reader) throws Exception {
        if (file == null) {
            reader.add(held, 0, inMemory);
            return;
        }
        byte[] all = toByteArray();
        try {
            reader.add(all, 0, all.length);
        } finally {
            Arrays.fill(all, (byte) 0);
        }
    }

    /** Returns a copy of all bytes. */
    public byte[] toByteArray() throws Exception {
        if (file == null) {
            return Arrays.copyOf(held, inMemory);
        }
        byte[] all = new byte[Math.toIntExact(length)];
        int[] filled = new int[1];
        file.read((bytes, offset, count) -> {
            System.arraycopy(bytes, offset, all, filled[0], count);
            filled[0] += count;
        });
        return all;
    }

    /** Drops all bytes, and keeps the memory for the next ones. */
    public void clear() throws Exception {
        Overflow overflow = file;
        file = null;
        inMemory = 0;
        length = 0;
        if (overflow != null) {
            overflow.delete();
        }
    }

    /**
     * Drops all bytes, wipes their memory and gives it back. A repeated call has no effect. It throws no exception: a
     * remaining file is encrypted, and the broker deletes it at its next start.
     */
    @Override
    public void close() {
        try {
            clear();
        } catch (Exception e) {
            PluginLog.LOG.warn("the temporary file of a large message could not be deleted", e);
        }
        release();
    }
}
