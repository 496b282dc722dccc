/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.signetmq.client.internal.provider.ArrivedMessage;
import org.signetmq.client.internal.provider.ClientLibrary;

/**
 * A message that arrived and may be handed on.
 *
 * @param arrived as the provider delivered it
 * @param added the properties of opening
 * @param acknowledgement the effect of acknowledge()
 */
public record ReceivedEnvelope(ArrivedMessage arrived, SignetProperties added, Acknowledgement acknowledgement) {
    Message message() {
        return arrived.message();
    }

    ClientLibrary library() {
        return arrived.library();
    }

    /** The effect of the application's acknowledge() on the message that arrived. */
    public interface Acknowledgement {
        /** For sessions that acknowledge themselves, transacted ones and browsers: no effect, as the API has it. */
        Acknowledgement NO_EFFECT = message -> {};

        void acknowledge(Message received) throws JMSException;
    }
}
