/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;

/**
 * Reads a body in parts of any length, and passes its output to the next stage. The caller may reuse an array after the
 * call. A stage is for one message, and not thread-safe.
 */
public interface BodyStage extends AutoCloseable {
    /** Writes a whole body to a stage. */
    @FunctionalInterface
    interface Source {
        void writeTo(BodyStage stage) throws Exception;
    }

    /** Reads a part of the body. */
    void add(byte[] bytes, int offset, int length) throws Exception;

    /** Ends the body. */
    void finish() throws Exception;

    /** Frees the memory of the stage, also before the end of the body. A repeated call has no effect. */
    @Override
    default void close() {
        // most stages hold nothing
    }

    /** Reads the remaining bytes as a whole body, and closes the stage. Only for stages with output in memory. */
    default void takeWhole(ByteBuffer body) throws MessageRejectedException {
        try (BodyStage all = this) {
            all.add(body.array(), body.arrayOffset() + body.position(), body.remaining());
            all.finish();
        } catch (RuntimeException | MessageRejectedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
