/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.Objects;
import org.apache.activemq.artemis.core.buffers.impl.ChannelBufferWrapper;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.journal.Journal;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** Writes its input to the file of a large message unchanged. The input must be sealed or permitted in clear. */
final class LargeFile implements BodyStage {
    /**
     * The usual size of one write, in bytes, as the broker itself uses. Each thread needs as much memory outside the
     * heap.
     */
    private static final int MOST_AT_ONCE = 100 << 10;

    /** A rest of up to this many bytes is written with the part before. The envelope alone often makes such a rest. */
    private static final int SHORT_REST = 16 << 10;

    private final StorageManager storage;
    private final long messageId;
    private @Nullable SequentialFile file;
    private boolean written;

    LargeFile(StorageManager storage, long messageId) {
        this.storage = storage;
        this.messageId = messageId;
    }

    StorageManager storage() {
        return storage;
    }

    /** Sets the open file for the next writes. */
    void become(SequentialFile open) {
        file = open;
    }

    /** Deletes the file, under each of its names. */
    void delete() throws Exception {
        for (boolean durable : new boolean[] {true, false}) {
            SequentialFile made = storage.createFileForLargeMessage(messageId, durable);
            if (made.exists()) {
                made.delete();
            }
        }
    }

    /** Returns whether anything was written. */
    boolean isWritten() {
        return written;
    }

    /** Writes a part of an envelope. */
    void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            add(bytes, offset, length);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    @Override
    public void add(byte[] bytes, int offset, int length) throws Exception {
        int part;
        for (int done = 0; done < length; done += part) {
            int left = length - done;
            part = left <= MOST_AT_ONCE + SHORT_REST ? left : MOST_AT_ONCE;
            append(
                    keepsParts()
                            ? Unpooled.copiedBuffer(bytes, offset + done, part)
                            : Unpooled.wrappedBuffer(bytes, offset + done, part));
        }
    }

    /** Returns whether the broker's history of the journal may read a part after its write. */
    private boolean keepsParts() {
        Journal journal = storage.getMessageJournal();
        return journal == null || journal.isHistory();
    }

    /**
     * Writes a part, and checks the size. The broker only logs a failure to write, for example on a full disk. Of a
     * buffer it makes its own copy if it replicates the part later.
     */
    private void append(ByteBuf part) throws Exception {
        SequentialFile open = Objects.requireNonNull(file, "file: not open");
        written = true;
        long expected = open.size() + part.readableBytes();
        storage.addBytesToLargeMessage(open, messageId, new ChannelBufferWrapper(part));
        if (open.size() != expected) {
            throw new MessageRejectedException("the file of the message could not be written: " + open.size()
                    + " bytes, not " + expected + "; is the disk full?");
        }
    }

    @Override
    public void finish() {
        // the caller that opened it closes it
    }
}
