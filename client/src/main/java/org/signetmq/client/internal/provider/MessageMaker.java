/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSException;
import jakarta.jms.Message;

/**
 * Makes the provider's message for an opened body. The caller uses the result once.
 *
 * @param <M> the type of the message
 */
@FunctionalInterface
public interface MessageMaker<M extends Message> {
    /** Returns an empty message that accepts a body. */
    M make() throws JMSException;
}
