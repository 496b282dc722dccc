/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

/**
 * Takes a body in parts of any length and passes its own output on. It never keeps an array that it is given. Not
 * thread-safe; one message at a time.
 */
public interface BodyStage extends AutoCloseable {
    /** Takes more. */
    void add(byte[] bytes, int offset, int length) throws Exception;

    /** There is no more. */
    void finish() throws Exception;

    /** Frees its memory, finished or not. Harmless when repeated. */
    @Override
    default void close() {
        // most stages hold nothing
    }

    /** Takes a whole body from memory, and closes. Only for stages that end in memory. */
    default void takeWhole(byte[] body) throws MessageRejectedException {
        try (BodyStage all = this) {
            all.add(body, 0, body.length);
            all.finish();
        } catch (RuntimeException | MessageRejectedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
