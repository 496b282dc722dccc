/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.failure;

import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/** Makes the exceptions for messages that cannot be opened. The public API implements it. */
public interface OpenExceptions {
    /**
     * Makes the exception for a cause.
     *
     * @param arrived the message that the exception shows; null if it shows none
     */
    JMSException because(Throwable cause, @Nullable Message arrived);

    /** Returns whether {@link #because} made this exception. */
    boolean isOpenFailure(JMSException e);

    /** Returns whether the consumer may open the next message; false if its own keys or policies are unusable. */
    boolean mayOpenNext(JMSException openFailure);

    /** Makes the unchecked counterpart of an exception that {@link #because} made. */
    JMSRuntimeException unchecked(JMSException openFailure);
}
