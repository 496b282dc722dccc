/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** The file of a large message. Writes its input unchanged, so the input must not be in clear. */
final class LargeFile implements BodyStage {
    /** As the broker itself writes: more at once would take as much memory outside the heap, for each thread. */
    private static final int MOST_AT_ONCE = 100 << 10;

    private final StorageManager storage;
    private final long messageId;
    private @Nullable SequentialFile file;

    LargeFile(StorageManager storage, long messageId) {
        this.storage = storage;
        this.messageId = messageId;
    }

    /** Where to write from now on. */
    void become(SequentialFile open) {
        file = open;
    }

    /** As a sink of envelopes. */
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
        for (int done = 0; done < length; done += MOST_AT_ONCE) {
            int from = offset + done;
            // a copy: replication sends it later
            byte[] part = Arrays.copyOfRange(bytes, from, from + Math.min(MOST_AT_ONCE, length - done));
            append(part);
        }
    }

    /** The broker only logs that a file could not be written, as on a full disk, and would take the message. */
    private void append(byte[] part) throws Exception {
        SequentialFile open = Objects.requireNonNull(file, "file: not open");
        long expected = open.size() + part.length;
        storage.addBytesToLargeMessage(open, messageId, part);
        if (open.size() != expected) {
            throw new MessageRejectedException("its file could not be written: " + open.size() + " bytes, not "
                    + expected + "; is the disk full?");
        }
    }

    @Override
    public void finish() {
        // the caller that opened it closes it
    }

    @Override
    public void close() {
        // the caller that opened it closes it
    }
}
