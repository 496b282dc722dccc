/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.failure;

import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/** Makes the exceptions that tell an application that a message cannot be opened. The public API implements it. */
public interface OpenExceptions {
    /**
     * Makes the exception for a cause.
     *
     * @param arrived the message as the application may see it; null where the exception does not show it
     */
    JMSException because(Throwable cause, @Nullable Message arrived);

    /** Whether {@link #because} made this exception. */
    boolean isOpenFailure(JMSException e);

    /** Whether the consumer may be able to open the next message: false if its own keys or policies are unusable. */
    boolean mayOpenNext(JMSException openFailure);

    /** Makes the unchecked counterpart of an exception that {@link #because} made. */
    JMSRuntimeException unchecked(JMSException openFailure);
}
