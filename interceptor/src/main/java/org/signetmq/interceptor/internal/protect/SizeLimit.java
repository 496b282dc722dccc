/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import org.apache.activemq.artemis.api.core.Message;
import org.signetmq.interceptor.internal.body.MessageBodies;
import org.signetmq.interceptor.internal.body.MessageBody;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * How large a message may be.
 *
 * @param most in bytes
 * @param reason the origin of the limit, as the end of a sentence
 * @param around whether headers and properties count
 */
public record SizeLimit(long most, String reason, boolean around) {
    /** The reserve in the largest journal record, in bytes, for the record's own fields and the broker's additions. */
    static final int RESERVE = 1024;

    private static final String IN_MEMORY = "are taken (property max-message-size)";

    /** The allowance for headers and properties, in bytes. */
    private static final long SLACK = 256 << 10;

    /** Bounds memory where the broker bounds nothing, as without persistence. */
    private static final long MOST_IN_RECORD = 64L << 20;

    /** A message that is one record of the journal. */
    public static SizeLimit inJournal(long largestRecord) {
        return new SizeLimit(Math.min(largestRecord, MOST_IN_RECORD) - RESERVE, "fit into the journal", true);
    }

    /**
     * Rejects a message far beyond the limit, before any of it is decoded.
     *
     * @throws MessageRejectedException if its body is far too long
     */
    public void requireNotFarBeyond(Message message) throws MessageRejectedException {
        if (!around) {
            requireNotFarBeyond(most, MessageBodies.length(message));
        }
    }

    /**
     * Rejects a body that is longer than any body of the limit can be when it is encoded or sealed. Asked before a body
     * is decoded, which takes several times its length.
     *
     * @throws MessageRejectedException if it is
     */
    public static void requireNotFarBeyond(long mostBytes, long bytes) throws MessageRejectedException {
        if (bytes > mostBytes + mostBytes / 16 + SLACK) {
            throw new MessageRejectedException(
                    "too large to be protected: " + bytes + " bytes or more, at most " + mostBytes + " " + IN_MEMORY);
        }
    }

    /** A large message that is sealed in memory as a whole. */
    public static SizeLimit inMemory(long mostBytes) {
        return new SizeLimit(mostBytes, IN_MEMORY, false);
    }

    /** How long a body may be that was compressed, before it is known whether it has to be again. */
    long mostInflated(long maxMessageSize) {
        return around ? Math.max(most, Math.min(maxMessageSize, MOST_IN_RECORD)) : most;
    }

    boolean holds(MessageBody body, long length) {
        return bytes(body, length) <= most;
    }

    private long bytes(MessageBody body, long length) {
        return length + (around ? body.bytesAround() : 0);
    }

    /**
     * Rejects a body that is too large. Asked before sealing, which would be in vain, and after it, when the size is
     * known.
     *
     * @throws MessageRejectedException if it is
     */
    void require(MessageBody body, long length) throws MessageRejectedException {
        if (!holds(body, length)) {
            throw new MessageRejectedException(
                    "too large to be protected: " + bytes(body, length) + " bytes, at most " + most + " " + reason);
        }
    }
}
