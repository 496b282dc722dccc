/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.Message;

/**
 * A message that arrived and may be handed on.
 *
 * @param message as the provider delivered it
 * @param added what it gets on opening
 * @param acknowledgement what acknowledge() does
 */
public record Arrival(Message message, SignetProperties added, Acknowledgement acknowledgement) {
    /** What the application's acknowledge() does to the message that arrived. */
    public interface Acknowledgement {
        /** For sessions that acknowledge themselves, transacted ones and browsers: no effect, as the API has it. */
        Acknowledgement NO_EFFECT = message -> {};

        void acknowledge(Message received) throws JMSException;
    }
}
