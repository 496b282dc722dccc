/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The timeout of one receiving call, which may ask the provider several times. */
public final class ReceiveTimeout {
    /** The API's timeout without limit. */
    public static final long FOREVER = 0;

    /** The timeout of a call that does not wait. */
    public static final long AT_ONCE = Long.MIN_VALUE;

    private final long millis;
    private final long began = System.nanoTime();
    private boolean asked;

    /** Makes a timeout in milliseconds, {@link #FOREVER} or {@link #AT_ONCE}. */
    public ReceiveTimeout(long millis) {
        this.millis = millis;
    }

    /** Asks a consumer for its next message; null if none arrives in the remaining time. */
    @Nullable
    public Message ask(Call call) throws JMSException {
        if (!asked || millis == FOREVER || millis == AT_ONCE) {
            asked = true;
            return call.receive(millis);
        }
        long left = millis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        return left <= 0 ? null : call.receive(left);
    }

    /** The receiving call of a consumer. */
    @FunctionalInterface
    public interface Call {
        /**
         * Receives a message; null if none arrives in time.
         *
         * @param millis the time, {@link #FOREVER} or {@link #AT_ONCE}
         */
        @Nullable
        Message receive(long millis) throws JMSException;

        static Call of(MessageConsumer consumer) {
            return millis -> millis == FOREVER
                    ? consumer.receive()
                    : millis == AT_ONCE ? consumer.receiveNoWait() : consumer.receive(millis);
        }

        static Call of(JMSConsumer consumer) {
            return millis -> millis == FOREVER
                    ? consumer.receive()
                    : millis == AT_ONCE ? consumer.receiveNoWait() : consumer.receive(millis);
        }
    }
}
