/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.SizeLimit;
import org.signetmq.keystore.crypto.CryptoProviders;

/**
 * The bytes of a large AMQP message, which the broker writes to a file before it says where they go. The bytes wait for
 * the judgement of the plugin. The first ones wait in memory, all of a longer body in an encrypted file. Then they go
 * to the message's own file, sealed or as they are. Thread-safe, as a connection may break meanwhile.
 */
public final class BufferedBody {

    /** Marks messages with an empty file, in this process only. The value is the waiting body. */
    private static final Object HELD = new Object();

    private final StorageManager storage;
    private final long messageId;
    private final BufferBudget memory;
    private final CryptoProviders providers;
    private ByteArrayOutputStream held = new ByteArrayOutputStream();
    private long taken;
    private long length;
    private @Nullable ScratchFile scratch;
    private @Nullable Exception failure;
    private @Nullable SequentialFile own;

    /** Nothing yet. */
    BufferedBody(StorageManager storage, long messageId, BufferBudget memory, CryptoProviders providers) {
        this.storage = storage;
        this.messageId = messageId;
        this.memory = memory;
        this.providers = providers;
    }

    /** Returns the waiting body of this message, or null if its file is complete. */
    static @Nullable public BufferedBody of(Message message) {
        return message.getUserContext(HELD) instanceof BufferedBody held ? held : null;
    }

    /** Nothing more comes; from now on the message has it. Its judgement follows at once, on the same connection. */
    synchronized void handTo(LargeServerMessage message) throws Exception {
        message.toMessage().setUserContext(HELD, this);
        giveBack();
        if (failure == null) {
            SequentialFile file = message.getAppendFile();
            own = file;
            message.getLargeBody().replaceFile(BufferedBodyFile.inPlaceOf(file, this));
        }
        if (scratch != null && failure == null) {
            try {
                scratch.pause();
            } catch (Exception e) {
                fail(e);
            }
        }
    }

    /** Takes more. If it cannot, all of it is dropped, and the message is rejected later. */
    synchronized void add(byte[] bytes) {
        if (failure != null) {
            return;
        }
        try {
            if (scratch == null && memory.take(held.size(), bytes.length)) {
                taken += bytes.length;
                held.writeBytes(bytes);
            } else {
                scratch().add(bytes);
            }
            length += bytes.length;
        } catch (Exception | OutOfMemoryError e) {
            fail(e);
        }
    }

    private ScratchFile scratch() throws Exception {
        ScratchFile file = scratch;
        if (file == null) {
            file = new ScratchFile(storage, providers);
            scratch = file;
            file.add(held.toByteArray());
            held = new ByteArrayOutputStream();
            giveBack();
        }
        return file;
    }

    private void giveBack() {
        memory.giveBack(taken);
        taken = 0;
    }

    private void fail(Throwable cause) {
        failure = cause instanceof Exception exception ? exception : new MessageRejectedException(cause.toString());
        drop();
    }

    /**
     * All of it.
     *
     * @param mostBytes how long the body of the message may be; the message may have some more
     * @throws MessageRejectedException if it is longer
     */
    public synchronized byte[] bytes(long mostBytes) throws Exception {
        requireComplete();
        SizeLimit.requireNotFarBeyond(mostBytes, length);
        ScratchFile file = scratch;
        if (file == null) {
            return held.toByteArray();
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream(Math.toIntExact(length));
        file.read(all::write);
        return all.toByteArray();
    }

    /** In bytes. */
    synchronized long length() {
        return length;
    }

    /** Reads from a position on, until the end or until the buffer is full; says how much, or -1 at the end. */
    synchronized int read(long position, ByteBuffer into) throws Exception {
        requireComplete();
        int before = into.remaining();
        Skipping reader = new Skipping(position, into);
        ScratchFile file = scratch;
        if (file == null) {
            reader.add(held.toByteArray(), 0, held.size());
        } else {
            file.read(reader::add);
            file.pause();
        }
        return position >= length ? -1 : before - into.remaining();
    }

    /** Reads from where it is wanted on. */
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

    /** Gives all of it, part by part. */
    synchronized void read(ScratchFile.Reader reader) throws Exception {
        requireComplete();
        ScratchFile file = scratch;
        if (file == null) {
            byte[] bytes = held.toByteArray();
            reader.add(bytes, 0, bytes.length);
        } else {
            file.read(reader);
        }
    }

    /** The file of the message, to be written. */
    LargeFile file() {
        return new LargeFile(storage, messageId);
    }

    /** Writes the file of the message as the writer wants it, which says of the message whether it is rejected. */
    synchronized void write(LargeServerMessage message, LargeBodyWriter writer, boolean sync) throws Exception {
        if (own != null) {
            message.getLargeBody().replaceFile(own);
        }
        SequentialFile open = message.getAppendFile();
        if (!open.isOpen()) {
            open.open();
        }
        try {
            read((bytes, offset, length) -> writer.add(open, Arrays.copyOfRange(bytes, offset, offset + length)));
            writer.finish(message, sync);
        } finally {
            if (open.isOpen()) {
                open.close(false, false);
            }
        }
        storage.largeMessageClosed(message);
        message.toMessage().setUserContext(HELD, null);
        drop();
        writer.settle(message);
    }

    /** Lets go of it all. Throws no exception: the rest is encrypted, and the broker deletes it at its next start. */
    synchronized void drop() {
        held = new ByteArrayOutputStream();
        giveBack();
        ScratchFile file = scratch;
        if (file != null) {
            try {
                file.delete();
            } catch (Exception e) {
                PluginLog.LOG.warn("the file that a large message waited in could not be deleted", e);
            }
        }
    }

    /** Writes this as the file of the message, as it came. */
    synchronized void write(LargeServerMessage message, boolean sync) throws Exception {
        requireComplete();
        ScratchFile file = scratch;
        byte[] bytes = held.toByteArray();
        write(message, sync, file == null ? to -> to.add(bytes, 0, bytes.length) : to -> file.read(to::add));
    }

    /** Writes these bytes as the file of the message, in place of the arrived body. */
    synchronized void write(byte[] bytes, LargeServerMessage message, boolean sync) throws Exception {
        write(message, sync, to -> to.add(bytes, 0, bytes.length));
    }

    private interface Content {
        void writeTo(LargeFile file) throws Exception;
    }

    private void write(LargeServerMessage message, boolean sync, Content content) throws Exception {
        if (own != null) {
            message.getLargeBody().replaceFile(own);
        }
        SequentialFile open = message.getAppendFile();
        if (!open.isOpen()) {
            open.open();
        }
        try {
            LargeFile file = file();
            file.become(open);
            content.writeTo(file);
            if (sync) {
                open.sync();
            }
        } finally {
            open.close(false, false);
        }
        message.getLargeBody().setBodySize(-1); // the bytes of the waiting body; ask the file for its size
        storage.largeMessageClosed(message);
        message.toMessage().setUserContext(HELD, null);
        drop();
    }
}
