/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.interceptor.internal.protect.SizeLimit;
import org.signetmq.keystore.crypto.CryptoProviders;

/**
 * Buffers the body of a large message until the plugin judges the message. The broker writes the bytes of such a
 * message before it tells the address. A short body waits in memory, a longer one in an encrypted file. The judgement
 * then writes the body to the message's own file, sealed or unchanged. Thread-safe, because a connection may break
 * meanwhile.
 */
public final class BufferedBody {

    /** The longest time without a byte, in nanoseconds. */
    private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(10);

    /** The key of the buffered body in the user context of a message, which exists only in this process. */
    private static final Object HELD = new Object();

    private final StorageManager storage;
    private final long messageId;
    private final BufferBudget.Account account;
    private final WaitingBytes held;
    private @Nullable Exception failure;
    private @Nullable SequentialFile own;
    private boolean copyable;
    private boolean written;
    private long lastAdded = System.nanoTime();

    BufferedBody(StorageManager storage, long messageId, BufferBudget.Account account, CryptoProviders providers) {
        this.storage = storage;
        this.messageId = messageId;
        this.account = account.files(() -> new ScratchFile(storage, providers));
        this.held = new WaitingBytes(account, BufferBudget.MOST_OF_ONE);
    }

    /** Returns the buffered body of this message; null if its own file is complete. */
    static @Nullable public BufferedBody of(Message message) {
        return message.getUserContext(HELD) instanceof BufferedBody held ? held : null;
    }

    /** Lets the broker copy the message, because a copy may be written as it is. */
    synchronized void allowCopies() {
        copyable = true;
    }

    synchronized boolean isCopyable() {
        return copyable;
    }

    /** Attaches the complete body to its message. It stays in the budget until the message is judged. */
    synchronized void handTo(LargeServerMessage message) throws Exception {
        message.toMessage().setUserContext(HELD, this);
        if (failure == null) {
            SequentialFile file = message.getAppendFile();
            own = file;
            message.getLargeBody().replaceFile(BufferedBodyFile.inPlaceOf(file, this));
        }
    }

    /** Adds bytes. After a failure the buffer drops the body, and the plugin rejects the message later. */
    synchronized void add(byte[] bytes) {
        lastAdded = System.nanoTime();
        if (failure != null) {
            return;
        }
        try {
            held.add(bytes, 0, bytes.length);
        } catch (Exception | OutOfMemoryError e) {
            fail(e);
        }
    }

    synchronized boolean isWritten() {
        return written;
    }

    /** Returns whether nothing came for ten minutes. */
    synchronized boolean isIdle(long now) {
        return failure == null && now - lastAdded > LONGEST_PAUSE;
    }

    /** Drops what came, and rejects the message if its rest comes after all. */
    synchronized void giveUp() {
        fail(new MessageRejectedException("no part of it came for ten minutes; send it again"));
    }

    /**
     * Drops what came, and deletes the file that the broker made for the message, because nothing else refers to it. A
     * written message keeps its file: the broker reads it again when it needs it.
     */
    synchronized void abandon() {
        if (written) {
            return;
        }
        drop();
        try {
            for (boolean durable : new boolean[] {true, false}) {
                SequentialFile made = storage.createFileForLargeMessage(messageId, durable);
                if (made.exists()) {
                    made.delete();
                }
            }
        } catch (Exception e) {
            PluginLog.LOG.warn("the file of a large message without an end could not be deleted", e);
        }
    }

    private void fail(Throwable cause) {
        failure = cause instanceof Exception exception ? exception : new MessageRejectedException(cause.toString());
        drop();
    }

    /**
     * Returns all bytes.
     *
     * @param mostBytes the greatest length of the body, in bytes; headers and properties may add some more
     * @throws MessageRejectedException if the bytes exceed the limit
     */
    public synchronized byte[] bytes(long mostBytes) throws Exception {
        requireComplete();
        SizeLimit.requireNotFarBeyond(mostBytes, held.length());
        return held.toByteArray();
    }

    /** Returns the length in bytes. */
    public synchronized long length() {
        return held.length();
    }

    /** Reads from a position until the end or until the buffer is full. Returns the count; -1 at the end. */
    synchronized int read(long position, ByteBuffer into) throws Exception {
        requireComplete();
        int before = into.remaining();
        Skipping reader = new Skipping(position, into);
        held.read(reader::add);
        return position >= held.length() ? -1 : before - into.remaining();
    }

    /** Skips the bytes before the position, and reads the bytes after it. */
    private static final class Skipping {
        private long toSkip;
        private final ByteBuffer into;

        Skipping(long toSkip, ByteBuffer into) {
            this.toSkip = toSkip;
            this.into = into;
        }

        void add(byte[] bytes, int offset, int length) {
            int skipped = (int) Math.min(toSkip, length);
            toSkip -= skipped;
            into.put(bytes, offset + skipped, Math.min(length - skipped, into.remaining()));
        }
    }

    private void requireComplete() throws Exception {
        if (failure != null) {
            throw failure;
        }
    }

    /** Passes all bytes to a reader, part by part. */
    synchronized void read(WaitingBytes.Reader reader) throws Exception {
        requireComplete();
        held.read(reader);
    }

    /** Returns a stage that writes to the file of the message. */
    LargeFile file() {
        return new LargeFile(storage, messageId);
    }

    /** Writes the file of the message through a writer. The writer marks the message if it is rejected. */
    synchronized void write(LargeServerMessage message, LargeBodyWriter writer, boolean sync) throws Exception {
        writeFile(message, open -> {
            read((bytes, offset, length) -> writer.add(open, Arrays.copyOfRange(bytes, offset, offset + length)));
            writer.finish(message, sync);
        });
        writer.settle(message);
    }

    /** Drops all bytes. */
    synchronized void drop() {
        held.close();
        account.close();
    }

    /** Writes the body to the file of the message unchanged. */
    synchronized void write(LargeServerMessage message, boolean sync) throws Exception {
        requireComplete();
        write(message, sync, file -> read(file::add));
    }

    /** Writes these bytes to the file of the message, in place of the body that arrived. */
    synchronized void write(byte[] bytes, LargeServerMessage message, boolean sync) throws Exception {
        write(message, sync, file -> file.add(bytes, 0, bytes.length));
    }

    private void write(LargeServerMessage message, boolean sync, BodyStage.Source content) throws Exception {
        writeFile(message, open -> {
            LargeFile file = file();
            file.become(open);
            content.writeTo(file);
            if (sync) {
                open.sync();
            }
            message.getLargeBody().setBodySize(-1); // the buffered size so far; the broker then asks the file
        });
    }

    private interface FileWriting {
        void writeTo(SequentialFile open) throws Exception;
    }

    /** Writes the message's own file, and drops the buffer. */
    private void writeFile(LargeServerMessage message, FileWriting writing) throws Exception {
        if (own != null) {
            message.getLargeBody().replaceFile(own);
        }
        SequentialFile open = message.getAppendFile();
        if (!open.isOpen()) {
            open.open();
        }
        try {
            writing.writeTo(open);
        } finally {
            if (open.isOpen()) {
                open.close(false, false);
            }
        }
        storage.largeMessageClosed(message);
        message.toMessage().setUserContext(HELD, null);
        written = true;
        drop();
    }
}
