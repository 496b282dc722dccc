/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.stream.DiscardingStage;

/**
 * Writes the body of one large message to its file. After a failure the writer drops the rest of the body, because the
 * broker only logs some failures to write. The broker asks the plugin before it accepts the message, and the plugin
 * then rejects the send. Thread-safe, because a connection may break while a part arrives.
 */
public final class LargeBodyWriter implements AutoCloseable {
    /** The key of a writer's failure in the user context of a message, which exists only in this process. */
    private static final Object FAILURE = new Object();

    private final LargeFile file;
    private final BodyStage stages;
    private final CompletionHandler completion;
    private final Account account;
    private @Nullable Throwable failure;

    /** Ends the count of the message in a budget. */
    @FunctionalInterface
    interface Account {
        void close();
    }

    /** Runs after the whole body is in its file. */
    @FunctionalInterface
    interface CompletionHandler {
        void completed(LargeServerMessage message) throws MessageRejectedException;
    }

    /**
     * Makes a writer.
     *
     * @param stages the stages between the body and the file
     */
    LargeBodyWriter(LargeFile file, BodyStage stages, CompletionHandler completion) {
        this(file, stages, completion, () -> {});
    }

    /**
     * Makes a writer.
     *
     * @param account ends after the stages
     */
    LargeBodyWriter(LargeFile file, BodyStage stages, CompletionHandler completion, Account account) {
        this.account = account;
        this.file = file;
        this.stages = stages;
        this.completion = completion;
    }

    /** Returns the writer of a rejected message, which writes nothing. */
    static LargeBodyWriter rejected(LargeFile file, Throwable cause) {
        LargeBodyWriter writer = new LargeBodyWriter(file, new DiscardingStage(), message -> {});
        writer.failure = cause;
        return writer;
    }

    /** Marks a message so that the plugin rejects it for this cause. */
    public static void markRejected(Message message, Throwable cause) {
        message.setUserContext(FAILURE, cause);
    }

    /**
     * Throws the cause for a message whose writer failed. Its body is incomplete, even if the policies have changed.
     * Throws also for a copy of a message that was not judged.
     */
    public static void requireNotRejected(Message message) throws Exception {
        BufferedBodyFile.requireNoCopy(message);
        Object cause = message.getUserContext(FAILURE);
        if (cause instanceof Exception exception) {
            throw exception;
        }
        if (cause instanceof Throwable other) {
            throw new IllegalStateException(other);
        }
    }

    /** Returns whether anything is in the file. */
    synchronized boolean hasWritten() {
        return file.isWritten();
    }

    synchronized void add(SequentialFile open, byte[] bytes) {
        if (failure != null) {
            return;
        }
        try {
            file.become(open);
            stages.add(bytes, 0, bytes.length);
        } catch (Throwable e) {
            fail(e);
        }
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
    synchronized void settle(LargeServerMessage message) {
        if (failure == null) {
            try {
                completion.completed(message);
            } catch (MessageRejectedException e) {
                fail(e);
            }
        }
        if (failure != null) {
            markRejected(message.toMessage(), failure);
        }
    }

    synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        close();
    }

    @Override
    public synchronized void close() {
        stages.close();
        account.close();
    }
}
