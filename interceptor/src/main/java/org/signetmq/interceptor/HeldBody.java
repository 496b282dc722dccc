/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.ByteArrayOutputStream;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a large AMQP message, which the broker writes to a file before it says whose they are and where they go:
 * kept in memory until the plugin is asked about the message, and written then, sealed or as they are. They go with the
 * message, so that one of which nobody asks leaves nothing behind. Thread-safe, as a connection may break meanwhile.
 */
final class HeldBody {
    /** Set on messages whose file has nothing in it yet, in this process only. Its value is what it shall have. */
    private static final Object HELD = new Object();

    private final StorageManager storage;
    private final long messageId;
    private final long mostBytes;
    private ByteArrayOutputStream held = new ByteArrayOutputStream();
    private @Nullable Exception failure;

    /**
     * Nothing yet.
     *
     * @param mostBytes how long the body of the message may be; the message may have some more
     */
    HeldBody(StorageManager storage, long messageId, long mostBytes) {
        this.storage = storage;
        this.messageId = messageId;
        this.mostBytes = mostBytes;
    }

    /** What is held of this message, or null if its file is as it is to be. */
    static @Nullable HeldBody of(Message message) {
        return message.getUserContext(HELD) instanceof HeldBody held ? held : null;
    }

    /** Nothing more comes; from now on the message has it. */
    void handTo(Message message) {
        message.setUserContext(HELD, this);
    }

    /** Takes more. What would be too much is dropped, with all before it, and the message is refused later. */
    synchronized void add(byte[] bytes) {
        if (failure != null) {
            return;
        }
        try {
            Room.requireNotFarBeyond(mostBytes, (long) held.size() + bytes.length);
            held.writeBytes(bytes);
        } catch (RefusedException | OutOfMemoryError e) {
            failure = e instanceof RefusedException refused ? refused : new RefusedException(e.toString());
            drop();
        }
    }

    /**
     * All of it.
     *
     * @throws RefusedException if it was too much
     */
    synchronized byte[] bytes() throws Exception {
        if (failure != null) {
            throw failure;
        }
        return held.toByteArray();
    }

    /** The file of the message, to be written. */
    LargeFile file() {
        return new LargeFile(storage, messageId);
    }

    /** Writes the file of the message as the intake wants it, which says of the message whether it is refused. */
    synchronized void write(LargeServerMessage message, Intake intake, boolean sync) throws Exception {
        SequentialFile open = message.getAppendFile();
        if (!open.isOpen()) {
            open.open();
        }
        try {
            intake.add(open, bytes());
            intake.finish(message, sync);
        } finally {
            if (open.isOpen()) {
                open.close(false, false);
            }
        }
        storage.largeMessageClosed(message);
        message.toMessage().setUserContext(HELD, null);
        drop();
        intake.settle(message);
    }

    /** Lets go of it all. */
    synchronized void drop() {
        held = new ByteArrayOutputStream();
    }

    /** Writes this as the file of the message, which then is as any other. */
    void write(byte[] bytes, LargeServerMessage message, boolean sync) throws Exception {
        SequentialFile open = message.getAppendFile();
        if (!open.isOpen()) {
            open.open();
        }
        try {
            LargeFile file = file();
            file.become(open);
            file.add(bytes, 0, bytes.length);
            if (sync) {
                open.sync();
            }
        } finally {
            open.close(false, false);
        }
        message.getLargeBody().setBodySize(-1); // of what was held; to be asked of the file
        storage.largeMessageClosed(message);
        message.toMessage().setUserContext(HELD, null);
        drop();
    }
}
