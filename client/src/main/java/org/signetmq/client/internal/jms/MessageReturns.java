/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.provider.ProviderSession;

/**
 * The messages of one session that go back to the broker or wait for a later call. Like a session, for one thread at a
 * time.
 */
public final class MessageReturns {
    private final ProviderSession.Acknowledging provider;
    private int count;
    private int held;
    private boolean lastFailed;

    MessageReturns(ProviderSession.Acknowledging provider) {
        this.provider = provider;
    }

    /**
     * Acknowledges a message, except while another one is held: that could be acknowledged too.
     *
     * @throws JMSException if the provider fails, or an earlier message did not go back; this one then goes back
     */
    void settle(Message received) throws JMSException {
        if (held > 0) {
            return;
        }
        if (lastFailed) {
            JMSException e = new JMSException("session: an earlier message could not be given back to the broker");
            giveBack(received, e);
            throw e;
        }
        provider.acknowledge(received);
    }

    /**
     * Gives a message back.
     *
     * @param cause gets a failure of the provider as a suppressed exception
     */
    void giveBack(Message arrived, Throwable cause) {
        count++;
        held = 0;
        try {
            provider.giveBack(arrived);
            lastFailed = false;
        } catch (JMSException | RuntimeException e) {
            lastFailed = true;
            cause.addSuppressed(e);
        }
    }

    /** Gives all unacknowledged messages back. */
    void recover() throws JMSException {
        provider.recover();
        recovered();
    }

    /** Notes that the session gave all unacknowledged messages back. */
    void recovered() {
        count++;
        held = 0;
        lastFailed = false;
    }

    /** Returns how often messages went back. */
    int count() {
        return count;
    }

    /** Returns whether the last message could not be given back. */
    boolean lastFailed() {
        return lastFailed;
    }

    Held hold(ReceivedMessage message) {
        held++;
        return new Held(message, count);
    }

    /** A received message that stays unacknowledged until its consumer takes it. */
    public final class Held {
        private final ReceivedMessage message;
        private final int countBefore;

        private Held(ReceivedMessage message, int countBefore) {
            this.message = message;
            this.countBefore = countBefore;
        }

        /** Returns the message; null if the session gave it back to the broker. */
        @Nullable
        public ReceivedMessage release() {
            if (count != countBefore) {
                return null;
            }
            held--;
            return message;
        }
    }
}
