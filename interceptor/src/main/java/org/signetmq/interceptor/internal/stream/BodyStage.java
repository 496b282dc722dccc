/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

/**
 * A step on the way of a large body into its file. It takes the body in parts and passes its own output on. Never
 * remembers an array it is given. Not thread-safe; one message at a time.
 */
public interface BodyStage extends AutoCloseable {
    /** Takes more. */
    void add(byte[] bytes, int offset, int length) throws Exception;

    /** There is no more. */
    void finish() throws Exception;

    /** Frees its memory, finished or not. Harmless when repeated. */
    @Override
    void close();
}
