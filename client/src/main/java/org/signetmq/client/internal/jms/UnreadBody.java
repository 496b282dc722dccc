/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.PayloadParts;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.message.StreamedBytesMessage;

/**
 * The large message that an application is reading, if any. The message is settled when its end is verified. It goes
 * back to the broker if its rest cannot be opened. Like a session, for one thread at a time.
 */
public final class UnreadBody {
    private @Nullable StreamedBytesMessage message;

    /** The last large message; the only one that can be read again. */
    private @Nullable StreamedBytesMessage kept;

    /** Watches a message if it is opened while the application reads it. */
    public void watch(ReceivedMessage received, PayloadParts.EndListener listener) {
        if (!(received instanceof StreamedBytesMessage streamed)) {
            return;
        }
        release();
        kept = streamed;
        message = streamed;
        streamed.setEndListener(new PayloadParts.EndListener() {
            @Override
            public void ended() throws JMSException {
                message = null;
                listener.ended();
            }

            @Override
            public void failed(JMSException e) {
                message = null;
                listener.failed(e);
            }
        });
    }

    /** Verifies the unread rest, because providers drop it at the next call for a message. */
    public void verify() throws JMSException {
        if (message != null) {
            message.verifyRest();
        }
    }

    /** Drops what is needed to read the last large message again. */
    public void release() {
        if (kept != null) {
            kept.release();
            kept = null;
        }
    }

    /** Forgets the message, because it is settled in another way. */
    public void forget() {
        message = null;
    }
}
