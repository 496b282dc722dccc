/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;

/** Makes the provider's message for an opened body of bytes. The caller uses the result once. */
@FunctionalInterface
public interface BytesMessageMaker {
    /** Returns an empty message that accepts bytes. */
    BytesMessage make() throws JMSException;
}
