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
 * A content that waits in a file of its own beside the large messages, encrypted under a key that is in memory alone.
 * The file is one of those that the broker deletes at its start, and is neither replicated nor mirrored.
 */
final class ScratchFile {
    /** The size of one encrypted part, in bytes: the size of the broker's own writes. */
    private static final int MOST_AT_ONCE = 100 << 10;

    private final SequentialFile file;
    private final ScratchCipher cipher;
    private long parts;

    /** An empty file. */
    ScratchFile(StorageManager storage, CryptoProviders providers) {
        this.cipher = new ScratchCipher(providers);
        this.file = storage.createFileForLargeMessage(storage.generateID(), false);
    }

    /** Takes the content, part by part. */
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
            throw new MessageRejectedException("it could not be written to wait in a file; is the disk full?");
        }
    }

    /** Nothing more comes for now. */
    void pause() throws Exception {
        file.close(false, false);
    }

    /**
     * Reads all of it.
     *
     * @throws MessageRejectedException if the file has changed
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
        return new MessageRejectedException("the file that it waited in was changed");
    }

    /** Deletes the file, and wipes its key. Harmless when repeated. */
    void delete() throws Exception {
        cipher.close();
        if (file.exists()) {
            file.delete();
        }
    }
}
