/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import org.apache.activemq.artemis.api.core.Message;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.body.MessageBodies;
import org.signetmq.interceptor.internal.body.MessageBody;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * A limit for the length of messages.
 *
 * @param most the greatest length in bytes
 * @param reason the origin of the limit, as the end of a sentence
 * @param around whether the limit includes headers and properties
 */
public record SizeLimit(long most, String reason, boolean around) {
    /** The reserve in the largest journal record, in bytes, for the record's own fields and the broker's additions. */
    static final int RESERVE = 1024;

    private static final String IN_MEMORY = "are allowed (property max-message-size)";

    /** The allowance for headers and properties, in bytes. */
    private static final long SLACK = 256 << 10;

    /** The limit in bytes where the broker has none, for example without persistence. */
    private static final long MOST_IN_RECORD = 64L << 20;

    /** The last limit for a record of a journal, which most brokers need for all messages. */
    private static volatile SizeLimit lastInJournal = new SizeLimit(0, "fit into the journal", true);

    /** Returns the limit for a message in one record of the journal. */
    public static SizeLimit inJournal(long largestRecord) {
        long most = Math.min(largestRecord, MOST_IN_RECORD) - RESERVE;
        SizeLimit known = lastInJournal;
        if (known.most != most) {
            known = new SizeLimit(most, known.reason, true);
            lastInJournal = known;
        }
        return known;
    }

    /**
     * Checks that a message is not far beyond the limit, before the plugin decodes it.
     *
     * @throws MessageRejectedException if the body is far too long
     */
    public void requireNotFarBeyond(Message message) throws MessageRejectedException {
        if (!around) {
            requireNotFarBeyond(most, MessageBodies.length(message));
        }
    }

    /**
     * Checks that an encoded or sealed body is not longer than any body within the limit can be. Called before the
     * plugin decodes the body, which takes several times the memory.
     *
     * @throws MessageRejectedException if the body is longer
     */
    public static void requireNotFarBeyond(long mostBytes, long bytes) throws MessageRejectedException {
        if (bytes > mostBytes + mostBytes / 16 + SLACK) {
            throw new MessageRejectedException(
                    RejectionReason.TOO_LARGE,
                    "too large to be protected: " + bytes + " bytes or more, at most " + mostBytes + " " + IN_MEMORY);
        }
    }

    /** Returns the limit for a message that the plugin seals in memory. */
    public static SizeLimit inMemory(long mostBytes) {
        return new SizeLimit(mostBytes, IN_MEMORY, false);
    }

    /** Returns the greatest length of a decompressed body, in bytes. Its envelope may contain it compressed again. */
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
     * Checks the length of a body. Called before sealing, and again with the length of the envelope.
     *
     * @throws MessageRejectedException if the message would exceed the limit
     */
    void require(MessageBody body, long length) throws MessageRejectedException {
        if (!holds(body, length)) {
            throw new MessageRejectedException(
                    RejectionReason.TOO_LARGE,
                    "too large to be protected: " + bytes(body, length) + " bytes, at most " + most + " " + reason);
        }
    }

    /** Returns whether an envelope of this length is allowed, which only a limit for whole messages can forbid. */
    boolean holdsAround(MessageBody body, long length) {
        return !around || holds(body, length);
    }

    /**
     * Checks the length of an envelope, if the limit is for whole messages.
     *
     * @throws MessageRejectedException if the message would exceed the limit
     */
    void requireAround(MessageBody body, long length) throws MessageRejectedException {
        if (around) {
            require(body, length);
        }
    }
}
