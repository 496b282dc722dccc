/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.ScratchCipher;

/**
 * A temporary file for a buffered body, encrypted under a key that is only in memory. It lies in the broker's folder of
 * large messages. The broker deletes it at its next start, and neither replicates nor mirrors it.
 */
final class ScratchFile implements WaitingBytes.Overflow {
    /** The size of one encrypted part, in bytes, as the broker itself uses. */
    private static final int MOST_AT_ONCE = 100 << 10;

    private final SequentialFile file;
    private final ScratchCipher cipher;
    private long parts;

    ScratchFile(StorageManager storage, CryptoProviders providers) {
        this.cipher = new ScratchCipher(providers);
        this.file = storage.createFileForLargeMessage(storage.generateID(), false);
    }

    /** Appends bytes, and closes the file until the next call: a client may let thousands of them wait. */
    @Override
    public void add(byte[] bytes, int offset, int length) throws Exception {
        if (!file.isOpen()) {
            file.open();
        }
        for (int done = 0; done < length; done += MOST_AT_ONCE) {
            append(cipher.encrypt(bytes, offset + done, Math.min(MOST_AT_ONCE, length - done)));
            parts++;
        }
        file.close(false, false);
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

    /**
     * Passes the whole content to a reader.
     *
     * @throws MessageRejectedException if the file was changed
     */
    @Override
    public void read(WaitingBytes.Reader reader) throws Exception {
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
        file.close(false, false);
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
    @Override
    public void delete() throws Exception {
        cipher.close();
        if (file.exists()) {
            file.delete();
        }
    }
}
