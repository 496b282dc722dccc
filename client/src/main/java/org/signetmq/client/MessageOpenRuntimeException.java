/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSRuntimeException;

/** The unchecked counterpart of {@link MessageOpenException}, for JMSContext, JMSConsumer and browsers. */
public final class MessageOpenRuntimeException extends JMSRuntimeException {
    private static final long serialVersionUID = 1L;

    private final OpenFailure failure;

    MessageOpenRuntimeException(MessageOpenException cause) {
        super(cause.getMessage(), cause.getErrorCode(), cause);
        this.failure = cause.failure();
    }

    /** Returns the reason. */
    public OpenFailure failure() {
        return failure;
    }
}
