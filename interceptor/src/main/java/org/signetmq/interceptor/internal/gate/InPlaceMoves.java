/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import java.util.List;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;

/**
 * Knows the message that the plugin lets the broker move within its queue, so that the copy is sealed. The broker's
 * move ends the expiry and notes an origin; the plugin restores both. The broker routes the copy on the thread of the
 * move.
 */
public final class InPlaceMoves {
    private static final List<SimpleString> ORIGIN = List.of(
            Message.HDR_ORIGINAL_ADDRESS,
            Message.HDR_ORIGINAL_QUEUE,
            Message.HDR_ORIG_MESSAGE_ID,
            Message.HDR_ORIG_ROUTING_TYPE);

    @SuppressWarnings("ThreadLocalUsage") // one for each plugin
    private final ThreadLocal<@Nullable Move> current = new ThreadLocal<>();

    /** A move of one message. For one thread. */
    public static final class Move {
        private final Message original;
        private @Nullable Throwable problem;

        private Move(Message original) {
            this.original = original;
        }

        /** Returns the reason why the copy was not sealed; null if it was. */
        public @Nullable Throwable problem() {
            return problem;
        }

        void failed(Throwable cause) {
            problem = cause;
        }

        void restore(Message copy) {
            copy.setExpiration(original.getExpiration());
            if (copy instanceof ICoreMessage core) {
                ORIGIN.forEach(key -> restore(key, core));
            } else {
                copy.reencode(); // the expiry is a part of the encoded message
            }
        }

        private void restore(SimpleString key, ICoreMessage copy) {
            Object before = original.getObjectProperty(key);
            if (before == null) {
                Object unused = copy.removeProperty(key);
            } else {
                copy.putObjectProperty(key, before);
            }
        }
    }

    /** Notes that the broker moves this message next, on this thread. */
    public Move begin(Message original) {
        Move move = new Move(original);
        current.set(move);
        return move;
    }

    /** Notes that no move is under way on this thread. */
    public void end() {
        current.remove();
    }

    /** Returns the move for a copy, once; null if the message is no such copy. */
    @Nullable
    Move take(Message copy) {
        Move move = current.get();
        if (move == null
                || !Objects.equals(copy.getBrokerProperty(Message.HDR_ORIG_MESSAGE_ID), move.original.getMessageID())) {
            return null;
        }
        current.remove();
        return move;
    }
}
