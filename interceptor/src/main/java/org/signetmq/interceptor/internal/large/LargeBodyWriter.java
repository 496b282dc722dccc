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
 * One large message on its way into its file. Remembers a failure and drops the rest of the body. The broker only logs
 * some failures to write. It asks the plugin before it takes the message, and the plugin then rejects the send.
 * Thread-safe, as a connection may break while a part arrives.
 */
public final class LargeBodyWriter implements AutoCloseable {
    /** Marks messages whose writer failed, in this process only. Its value is the cause. */
    private static final Object REFUSED = new Object();

    private final LargeFile file;
    private final BodyStage stages;
    private final End end;
    private @Nullable Throwable failure;

    /** Runs after the whole body is in its file. */
    @FunctionalInterface
    interface End {
        void reached(LargeServerMessage message) throws MessageRejectedException;
    }

    /**
     * A writer without a body yet.
     *
     * @param stages the way into the file
     */
    LargeBodyWriter(LargeFile file, BodyStage stages, End end) {
        this.file = file;
        this.stages = stages;
        this.end = end;
    }

    /** Returns the writer of a rejected message, which writes nothing. */
    static LargeBodyWriter rejected(LargeFile file, Throwable cause) {
        LargeBodyWriter writer = new LargeBodyWriter(file, new DiscardingStage(), message -> {});
        writer.failure = cause;
        return writer;
    }

    /** Makes sure that a message is rejected for this when it is sent. */
    public static void markRejected(Message message, Throwable cause) {
        message.setUserContext(REFUSED, cause);
    }

    /** Rejects a message whose writer failed, because its body is incomplete, even if the policies have changed. */
    public static void requireNotRejected(Message message) throws Exception {
        Object cause = message.getUserContext(REFUSED);
        if (cause instanceof Exception exception) {
            throw exception;
        }
        if (cause instanceof Throwable other) {
            throw new IllegalStateException(other);
        }
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

    /** The broker has closed the file, which gets its end now. */
    synchronized void finish(LargeServerMessage message, boolean sync) {
        if (failure == null) {
            try {
                finish(message.getAppendFile(), sync);
                message.getLargeBody().setBodySize(-1); // counted in clear so far; to be asked of the file
            } catch (Throwable e) {
                fail(e);
            }
        }
        stages.close();
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

    /** Nothing is missing any more, or it never will be there. */
    synchronized void settle(LargeServerMessage message) {
        if (failure == null) {
            try {
                end.reached(message);
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
        stages.close();
    }

    @Override
    public synchronized void close() {
        stages.close();
    }
}
