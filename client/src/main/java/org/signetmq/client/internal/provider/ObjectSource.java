/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSException;
import jakarta.jms.ObjectMessage;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Where the object of an object message comes from, if the provider's own message does not read it right. */
public interface ObjectSource {
    @Nullable
    Serializable object() throws JMSException;

    /** Puts the object into the provider's message, which is about to be sent. */
    default void complete(ObjectMessage content) throws JMSException {
        content.setObject(object());
    }
}
