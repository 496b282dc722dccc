/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.Acknowledging;
import org.signetmq.client.internal.provider.ProviderSession;

/**
 * Acknowledges and gives back by the API, in a provider's session in CLIENT_ACKNOWLEDGE. The library may be unknown
 * until the first message arrives.
 */
record ClientAcknowledging(MessageOpening opening, ProviderSession session) implements Acknowledging {
    @Override
    public void acknowledge(Message arrived) throws JMSException {
        arrived.acknowledge();
    }

    @Override
    public void giveBack(Message arrived) throws JMSException {
        opening.library().giveBack(arrived, session);
    }

    @Override
    public void recover() throws JMSException {
        opening.library().recover(session);
    }
}
