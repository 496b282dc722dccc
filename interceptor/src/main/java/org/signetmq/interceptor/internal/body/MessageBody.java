/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** The body of one message in the broker's memory, which can be read and replaced. Not thread-safe. */
public interface MessageBody {
    /** Returns the bytes that may be an envelope, in an array; empty if no envelope has this kind of body. */
    Optional<ByteBuffer> possibleEnvelope();

    /**
     * Returns the bytes from the start of the body's first binary part, in an array; empty if it has none. They may
     * look like an envelope in a body in which no consumer finds one.
     */
    Optional<ByteBuffer> beginning();

    /** Returns whether the body is empty and tells the broker to forget a retained message. */
    default boolean clearsRetained() {
        return false;
    }

    /**
     * Returns the clear content.
     *
     * @throws MessageRejectedException if the body does not conform to its type
     */
    BodyContent content() throws MessageRejectedException;

    /** Returns whether the body arrived compressed. Its content is then longer than the encoded body. */
    default boolean wasCompressed() {
        return false;
    }

    /**
     * Returns the properties in clear that have one of these names.
     *
     * @throws MessageRejectedException if a name occurs twice
     */
    Map<String, @Nullable Object> properties(List<String> names) throws MessageRejectedException;

    /** Returns the number of bytes of the encoded message outside of the body. */
    int bytesAround();

    /**
     * Returns the memory for an envelope of this length: the remaining bytes of a buffer with an array. The message may
     * lose its body. The clear content stays readable, but the caller must then replace the body or restore it.
     */
    default ByteBuffer memory(int length) {
        return ByteBuffer.allocate(length);
    }

    /** Restores the body after its memory could not be filled with an envelope. */
    default void restore() {
        // most bodies stay as they are until they are replaced
    }

    /**
     * Replaces the body with an envelope, and removes the properties that describe only the clear content.
     *
     * @param envelope the remaining bytes of a buffer with an array, which may be the last result of {@link #memory}
     * @param hidden the names of further properties to remove
     */
    void replace(ByteBuffer envelope, Set<String> hidden);
}
