/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.ScratchCipher;

/**
 * A temporary file for a buffered body, encrypted under a key that is only in memory. It lies in the broker's folder of
 * large messages. The broker deletes it at its next start, and neither replicates nor mirrors it.
 */
final class ScratchFile {
    /** The size of one encrypted part, in bytes, as the broker itself uses. */
    private static final int MOST_AT_ONCE = 100 << 10;

    private final SequentialFile file;
    private final ScratchCipher cipher;
    private long parts;

    ScratchFile(StorageManager storage, CryptoProviders providers) {
        this.cipher = new ScratchCipher(providers);
        this.file = storage.createFileForLargeMessage(storage.generateID(), false);
    }

    /** Receives the content, part by part. */
    @FunctionalInterface
    interface Reader {
        void add(byte[] bytes, int offset, int length) throws Exception;
    }

    void add(byte[] bytes) throws Exception {
        if (!file.isOpen()) {
            file.open();
        }
        for (int from = 0; from < bytes.length; from += MOST_AT_ONCE) {
            append(cipher.encrypt(bytes, from, Math.min(MOST_AT_ONCE, bytes.length - from)));
            parts++;
        }
    }

    private void append(byte[] part) throws Exception {
        long end = file.size();
        byte[] record = ByteBuffer.allocate(Integer.BYTES + part.length)
                .putInt(part.length)
                .put(part)
                .array();
        file.position(end);
        file.blockingWriteDirect(ByteBuffer.wrap(record), false, false);
        if (file.size() != end + record.length) {
            throw new MessageRejectedException(
                    "the temporary file of the message could not be written; is the disk full?");
        }
    }

    /** Closes the file until the next call. */
    void pause() throws Exception {
        file.close(false, false);
    }

    /**
     * Passes the whole content to a reader.
     *
     * @throws MessageRejectedException if the file was changed
     */
    void read(Reader reader) throws Exception {
        if (!file.isOpen()) {
            file.open();
        }
        file.position(0);
        byte[] clear = new byte[MOST_AT_ONCE];
        for (long number = 0; number < parts; number++) {
            int length = ByteBuffer.wrap(next(Integer.BYTES)).getInt();
            if (length <= ScratchCipher.ADDED || length > MOST_AT_ONCE + ScratchCipher.ADDED) {
                throw changed();
            }
            if (!cipher.decrypt(number, ByteBuffer.wrap(next(length)), clear)) {
                throw changed();
            }
            reader.add(clear, 0, length - ScratchCipher.ADDED);
        }
        Arrays.fill(clear, (byte) 0);
    }

    private byte[] next(int length) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        if (file.read(buffer) != length) {
            throw changed();
        }
        return buffer.array();
    }

    private static MessageRejectedException changed() {
        return new MessageRejectedException("the temporary file of the message was changed");
    }

    /** Deletes the file, and wipes its key. A repeated call has no effect. */
    void delete() throws Exception {
        cipher.close();
        if (file.exists()) {
            file.delete();
        }
    }
}
