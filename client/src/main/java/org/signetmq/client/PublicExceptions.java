/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.failure.OpenExceptions;

/** Makes {@link MessageOpenException} and {@link MessageOpenRuntimeException}. */
final class PublicExceptions implements OpenExceptions {
    @Override
    public JMSException because(Throwable cause, @Nullable Message arrived) {
        return MessageOpenException.because(cause, arrived);
    }

    @Override
    public boolean isOpenFailure(JMSException e) {
        return e instanceof MessageOpenException;
    }

    @Override
    public boolean mayOpenNext(JMSException openFailure) {
        return ((MessageOpenException) openFailure).failure() != OpenFailure.KEYSTORE;
    }

    @Override
    public JMSRuntimeException unchecked(JMSException openFailure) {
        return new MessageOpenRuntimeException((MessageOpenException) openFailure);
    }
}
