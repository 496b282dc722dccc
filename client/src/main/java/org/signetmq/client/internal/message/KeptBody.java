/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.BulkInputStream;
import org.signetmq.keystore.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sealed body of a large message, which can be read again. It is kept as it arrives in a temporary file without a
 * name, and never opened there. If the file cannot be written, the body is read once. For one thread at a time.
 */
public final class KeptBody {
    private static final Logger LOG = LoggerFactory.getLogger(KeptBody.class);

    private final InputStream arriving;
    private @Nullable FileChannel file;
    private long length;

    /** Makes a file. */
    interface FileMaker {
        FileChannel make() throws IOException;
    }

    /** Keeps a body in the folder for temporary files. */
    public KeptBody(InputStream arriving) {
        this(
                arriving,
                () -> FileChannel.open(
                        Files.createTempFile("signet", null), // that only this user may read
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE));
    }

    KeptBody(InputStream arriving, FileMaker files) {
        this.arriving = arriving;
        try {
            this.file = files.make();
        } catch (IOException e) {
            forget(e);
        }
    }

    /** Returns whether the body can be read again. */
    public boolean isKept() {
        return file != null;
    }

    /** Returns the body from its beginning. Earlier streams must not be used any more. */
    public InputStream fromStart() {
        return new Reading();
    }

    /** Deletes the file. */
    public void release() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                LOG.debug("large message: its file was not closed", e);
            }
            file = null;
        }
    }

    private void forget(IOException cause) {
        release();
        LOG.warn(
                "large message: can be read only once, because {} does not take it; give the disk room, or name another by"
                        + " -Djava.io.tmpdir: {}",
                System.getProperty("java.io.tmpdir"),
                PrintableText.of(cause.toString(), PrintableText.LONGEST_REASON));
    }

    private void keep(ByteBuffer bytes) {
        FileChannel open = file;
        try {
            for (long end = length; open != null && bytes.hasRemaining(); ) {
                end += open.write(bytes, end);
            }
        } catch (IOException e) {
            forget(e);
        }
    }

    private final class Reading extends BulkInputStream {
        private long position;

        @Override
        protected int readSome(byte[] into, int offset, int count) throws IOException {
            int read = position < length ? again(into, offset, count) : arrived(into, offset, count);
            position += Math.max(read, 0);
            return read;
        }

        private int again(byte[] into, int offset, int count) throws IOException {
            if (file == null) {
                throw new IOException("body: the large message can no longer be read again");
            }
            int most = (int) Math.min(count, length - position);
            return file.read(ByteBuffer.wrap(into, offset, most), position);
        }

        private int arrived(byte[] into, int offset, int count) throws IOException {
            int read = arriving.read(into, offset, count);
            if (read > 0) {
                keep(ByteBuffer.wrap(into, offset, read));
                length += read;
            }
            return read;
        }
    }
}
