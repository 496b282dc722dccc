/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.audit.RejectionReason;

/**
 * Reads a body in parts of any length, and passes its output to the next stage. The caller may reuse an array after the
 * call. A stage is for one message, and not thread-safe.
 */
public interface BodyStage extends AutoCloseable {
    /** Reads a part of the body. */
    void add(byte[] bytes, int offset, int length) throws Exception;

    /** Ends the body. */
    void finish() throws Exception;

    /** Frees the memory of the stage, also before the end of the body. A repeated call has no effect. */
    @Override
    default void close() {
        // most stages hold nothing
    }

    /** Returns a stage that discards a body. */
    static BodyStage discarding() {
        return new BodyStage() {
            @Override
            public void add(byte[] bytes, int offset, int length) {
                // discarded
            }

            @Override
            public void finish() {
                // has no output
            }
        };
    }

    /**
     * Returns a stage that rejects every body.
     *
     * @param reason the text of the rejection
     */
    static BodyStage rejecting(String reason) {
        return new BodyStage() {
            @Override
            public void add(byte[] bytes, int offset, int length) throws MessageRejectedException {
                finish();
            }

            @Override
            public void finish() throws MessageRejectedException {
                throw new MessageRejectedException(RejectionReason.NOT_SEALED, reason);
            }
        };
    }

    /** Reads the payload of a clear body. The caller sets the kind of the body before the first byte. */
    public interface ClearBodyStage extends BodyStage {
        /** Sets the kind of the body. A repeated call has no effect. */
        void begin(ClearMessage.Body body) throws MessageRejectedException;
    }
}
