/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSException;
import jakarta.jms.ObjectMessage;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Supplies the object of an object message if the provider's own message cannot read it. */
public interface ObjectSource {
    @Nullable
    Serializable object() throws JMSException;

    /** Puts the object into the provider's message before it is sent. */
    default void complete(ObjectMessage content) throws JMSException {
        content.setObject(object());
    }
}
