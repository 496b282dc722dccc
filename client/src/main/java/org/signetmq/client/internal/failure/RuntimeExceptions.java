/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.failure;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;

/** Makes the unchecked counterparts of checked exceptions, as the simplified API throws them. */
public final class RuntimeExceptions {
    private final OpenExceptions open;

    public RuntimeExceptions(OpenExceptions open) {
        this.open = open;
    }

    /** An action that may throw checked exceptions. */
    public interface Action {
        void run() throws JMSException;
    }

    public void run(Action action) {
        try {
            action.run();
        } catch (JMSException e) {
            throw of(e);
        }
    }

    public JMSRuntimeException of(JMSException e) {
        if (open.isOpenFailure(e)) {
            return open.unchecked(e);
        } else if (e instanceof MessageFormatException) {
            return new MessageFormatRuntimeException(e.getMessage(), e.getErrorCode(), e);
        } else if (e instanceof MessageNotWriteableException) {
            return new MessageNotWriteableRuntimeException(e.getMessage(), e.getErrorCode(), e);
        } else if (e instanceof TransactionRolledBackException) {
            return new TransactionRolledBackRuntimeException(e.getMessage(), e.getErrorCode(), e);
        } else if (e instanceof IllegalStateException) {
            return new IllegalStateRuntimeException(e.getMessage(), e.getErrorCode(), e);
        } else if (e instanceof JMSSecurityException) {
            return new JMSSecurityRuntimeException(e.getMessage(), e.getErrorCode(), e);
        } else {
            return new JMSRuntimeException(e.getMessage(), e.getErrorCode(), e);
        }
    }
}
