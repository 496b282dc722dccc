/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.PayloadParts;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.message.StreamedBytesMessage;

/**
 * The large message in reading, if any. It is settled when its end was verified, and goes back to the broker if its
 * rest cannot be opened. As a session, for one thread at a time.
 */
public final class UnreadBody {
    private @Nullable StreamedBytesMessage message;

    /**
     * Watches a message that is opened while it is read.
     *
     * @return false if it was opened as a whole: nothing will come of it later
     */
    public boolean watch(ReceivedMessage received, PayloadParts.Outcome outcome) {
        if (!(received instanceof StreamedBytesMessage streamed) || streamed.parts() == null) {
            return false;
        }
        message = streamed;
        streamed.parts().onOutcome(new PayloadParts.Outcome() {
            @Override
            public void ended() throws JMSException {
                message = null;
                outcome.ended();
            }

            @Override
            public void failed(JMSException e) {
                message = null;
                outcome.failed(e);
            }
        });
        return true;
    }

    /** Verifies the unread rest, because providers drop it at the next call for a message. */
    public void verify() throws JMSException {
        PayloadParts rest = message == null ? null : message.parts();
        if (rest != null) {
            rest.verifyRest();
        }
    }

    /** The message is settled otherwise. */
    public void forget() {
        message = null;
    }
}
