/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.interceptor.internal.protect.SizeLimit;
import org.signetmq.policy.PolicySet;

/**
 * The body of one large message, from its first byte until the plugin has judged the message. Stages seal it on its way
 * into the file, if the broker tells the address first. Otherwise it waits, in memory or in an encrypted file, until
 * the judgement writes the message's own file. After a failure the rest is dropped, because the broker only logs some
 * failures to write, and the plugin then rejects the message. Thread-safe, because a connection may break meanwhile.
 */
public final class LargeBody implements AutoCloseable {
    /** The longest time without a byte, in nanoseconds. */
    private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(10);

    /**
     * The key in the user context of a message, which exists only in this process. Its value is the waiting body, or
     * the cause for which the message is rejected.
     */
    private static final Object STATE = new Object();

    private final LargeFile file;
    private final BodyStage stages;
    private final WaitingBytes.Space space;
    private final Completion completion;

    /** What the broker has of the message. It ends if the broker gives the message up. */
    private WeakReference<@Nullable LargeServerMessage> owner = new WeakReference<>(null);

    private @Nullable Throwable failure;
    private @Nullable SequentialFile own;
    private @Nullable Watch watch;
    private boolean copyable;
    private boolean ended;
    private long lastAdded = System.nanoTime();

    /** Runs after the whole body is in its file. */
    @FunctionalInterface
    interface Completion {
        void completed(Message message) throws MessageRejectedException;
    }

    /**
     * What lets a body pass in clear.
     *
     * @param given the address as the client wrote it
     * @param policies the policies that do not protect this address
     */
    record Watch(@Nullable SimpleString given, PolicySet policies) {}

    /**
     * Makes a body that stages write to a file.
     *
     * @param space ends after the stages
     */
    LargeBody(LargeFile file, BodyStage stages, WaitingBytes.Space space, Completion completion) {
        this.file = file;
        this.stages = stages;
        this.space = space;
        this.completion = completion;
    }

    /** Returns a body that comes to its file unchanged. */
    static LargeBody unchanged(LargeFile file, Completion completion) {
        return new LargeBody(file, file, WaitingBytes.Space.UNLIMITED, completion);
    }

    /** Returns a body that waits for its judgement. */
    static LargeBody waiting(LargeFile file, WaitingBytes.Space space) {
        return new LargeBody(file, new WaitingBytes(space, BufferBudget.MOST_OF_ONE), space, message -> {});
    }

    /** Returns a body that the broker itself writes, until a new policy protects it. */
    static LargeBody watched(LargeFile file, Watch watch) {
        LargeBody body = unchanged(file, message -> {});
        body.watch = watch;
        return body;
    }

    /** Returns the body of a rejected message, which writes nothing. */
    static LargeBody rejected(LargeFile file, Throwable cause) {
        LargeBody body = unchanged(file, message -> {});
        body.failure = cause;
        return body;
    }

    /** Returns the waiting body of this message; null if its own file is complete. */
    public static @Nullable LargeBody of(Message message) {
        return message.getUserContext(STATE) instanceof LargeBody waiting ? waiting : null;
    }

    /** Marks a message so that the plugin rejects it for this cause. */
    static void markRejected(Message message, Throwable cause) {
        message.setUserContext(STATE, cause);
    }

    /**
     * Throws the cause for a message whose body failed. It is incomplete, even if the policies have changed. Throws
     * also for a copy of a message that was not judged.
     */
    public static void requireNotRejected(Message message) throws Exception {
        FileProxies.requireNoCopy(message);
        Object state = message.getUserContext(STATE);
        if (state instanceof LargeBody waiting) {
            waiting.requireComplete();
        } else if (state instanceof Throwable cause) {
            throw exception(cause);
        }
    }

    private static Exception exception(Throwable cause) {
        return cause instanceof Exception exception ? exception : new IllegalStateException(cause);
    }

    private synchronized void requireComplete() throws Exception {
        if (failure != null) {
            throw exception(failure);
        }
    }

    /** Returns whether the body waits for its judgement, before or after its end. */
    boolean waits() {
        return stages instanceof WaitingBytes;
    }

    private WaitingBytes waiting() {
        return (WaitingBytes) stages;
    }

    /** Returns what lets the body pass in clear; null if it must not. */
    synchronized @Nullable Watch watch() {
        return failure == null ? watch : null;
    }

    synchronized void watch(Watch later) {
        watch = later;
    }

    /** Sets the message of a waiting body. A copyable one may be copied, because a copy may be written as it is. */
    synchronized void belongsTo(LargeServerMessage message, boolean copyable) {
        this.owner = new WeakReference<>(message);
        this.copyable = copyable;
    }

    synchronized boolean isCopyable() {
        return copyable;
    }

    /** Returns whether anything is in the file. */
    synchronized boolean hasWritten() {
        return file.isWritten();
    }

    /** Adds bytes, which the caller may then change. */
    synchronized void add(SequentialFile open, byte[] bytes, int offset, int length) {
        lastAdded = System.nanoTime();
        if (failure != null) {
            return;
        }
        try {
            file.become(open);
            stages.add(bytes, offset, length);
        } catch (Throwable e) {
            fail(e);
        }
    }

    synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        close();
    }

    /** Writes the end of the body, after the broker has closed the file. */
    synchronized void finish(LargeServerMessage message, boolean sync) {
        if (failure == null) {
            try {
                finish(message.getAppendFile(), sync);
                message.getLargeBody().setBodySize(-1); // the clear size so far; the broker then asks the file
            } catch (Throwable e) {
                fail(e);
            }
        }
        close();
    }

    private void finish(SequentialFile append, boolean sync) throws Exception {
        if (!append.isOpen()) {
            append.open();
        }
        try {
            file.become(append);
            stages.finish();
            if (sync) {
                append.sync();
            }
        } finally {
            append.close(false, false);
        }
    }

    /** Ends the writing, and marks the message if it failed. */
    synchronized void settle(Message message) {
        if (failure == null) {
            try {
                completion.completed(message);
            } catch (MessageRejectedException e) {
                fail(e);
            }
        }
        if (failure != null) {
            markRejected(message, failure);
        }
    }

    /**
     * Writes a whole body to the file of a message.
     *
     * @throws Exception if it could not be written, or the message is rejected
     */
    void writeWhole(LargeServerMessage message, WaitingBytes.Content body, boolean sync) throws Exception {
        SequentialFile open = message.getAppendFile();
        if (!open.isOpen()) {
            open.open();
        }
        try {
            body.read((bytes, offset, length) -> add(open, bytes, offset, length));
        } catch (Throwable e) {
            fail(e); // it marks the message, whose file has the beginning alone
        }
        finish(message, sync);
        if (open.isOpen()) {
            open.close(false, false);
        }
        file.storage().largeMessageClosed(message);
        settle(message.toMessage());
        requireNotRejected(message.toMessage());
    }

    /** Attaches the complete waiting body to its message. It stays in the budget until the message is judged. */
    synchronized void handTo(LargeServerMessage message) throws Exception {
        message.toMessage().setUserContext(STATE, this);
        if (failure == null) {
            SequentialFile empty = message.getAppendFile();
            own = empty;
            message.getLargeBody().replaceFile(FileProxies.unjudged(empty, this));
        }
    }

    /** Returns the file in which the waiting body ends. */
    LargeFile file() {
        return file;
    }

    /** Writes the waiting body to the file of its message, and ends the wait. */
    void write(LargeServerMessage message, LargeBody into, boolean sync) throws Exception {
        requireComplete();
        write(message, into, waiting()::read, sync);
    }

    /** Writes a body to the file of the message in place of the waiting one, and ends the wait. */
    synchronized void write(LargeServerMessage message, LargeBody into, WaitingBytes.Content body, boolean sync)
            throws Exception {
        if (own != null) {
            message.getLargeBody().replaceFile(own);
        }
        message.toMessage().setUserContext(STATE, null);
        try {
            into.writeWhole(message, body, sync);
        } finally {
            end();
        }
    }

    /**
     * Returns all bytes of a waiting body.
     *
     * @param mostBytes the greatest length of the body, in bytes; headers and properties may add some more
     * @throws MessageRejectedException if the bytes exceed the limit
     */
    public synchronized byte[] bytes(long mostBytes) throws Exception {
        requireComplete();
        SizeLimit.requireNotFarBeyond(mostBytes, length());
        return waiting().toByteArray();
    }

    /** Returns the length of a waiting body in bytes. */
    public synchronized long length() {
        return waiting().length();
    }

    /** Passes all bytes of a waiting body to a reader, part by part. */
    synchronized void read(WaitingBytes.Reader reader) throws Exception {
        requireComplete();
        waiting().read(reader);
    }

    /** Reads from a position until the end or until the buffer is full. Returns the count; -1 at the end. */
    synchronized int read(long position, ByteBuffer into) throws Exception {
        int before = into.remaining();
        long[] toSkip = {position};
        read((bytes, offset, length) -> {
            int skipped = (int) Math.min(toSkip[0], length);
            toSkip[0] -= skipped;
            into.put(bytes, offset + skipped, Math.min(length - skipped, into.remaining()));
        });
        return position >= length() ? -1 : before - into.remaining();
    }

    /**
     * Drops a waiting body whose message the broker gave up, or to which nothing came for ten minutes.
     *
     * @return whether it has ended
     */
    synchronized boolean sweep(long now) {
        if (!ended && owner.get() == null) {
            end();
            try {
                file.delete(); // nothing else refers to it
            } catch (Exception e) {
                PluginLog.LOG.warn("the file of a large message without an end could not be deleted", e);
            }
        } else if (!ended && failure == null && own == null && now - lastAdded > LONGEST_PAUSE) {
            fail(new MessageRejectedException("no part of it came for ten minutes; send it again"));
        }
        return ended;
    }

    /** Ends the wait: the body is in its file, or the broker deletes the message. */
    synchronized void end() {
        ended = true;
        close();
    }

    /** Drops all bytes, and gives back their memory and files. A repeated call has no effect. */
    @Override
    public synchronized void close() {
        stages.close();
        space.close();
    }
}
