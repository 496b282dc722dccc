/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OpenOutcomes;

/** Makes and counts {@link MessageOpenException}, and makes {@link MessageOpenRuntimeException}. */
final class PublicExceptions extends OpenOutcomes {
    private final Map<OpenFailure, LongAdder> failures = new EnumMap<>(OpenFailure.class);

    PublicExceptions() {
        for (OpenFailure failure : OpenFailure.values()) {
            failures.put(failure, new LongAdder());
        }
    }

    /** Returns the number of exceptions for this kind of failure. */
    long count(OpenFailure failure) {
        return Objects.requireNonNull(failures.get(failure)).sum();
    }

    @Override
    public JMSException because(Throwable cause, @Nullable Message arrived) {
        MessageOpenException made = MessageOpenException.because(cause, arrived);
        Objects.requireNonNull(failures.get(made.failure())).increment();
        return made;
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
    protected JMSRuntimeException uncheckedFailure(JMSException openFailure) {
        return new MessageOpenRuntimeException((MessageOpenException) openFailure);
    }
}
