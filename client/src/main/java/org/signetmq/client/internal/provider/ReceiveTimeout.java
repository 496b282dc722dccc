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
    private static final long FOREVER = 0;

    private final Limit limit;
    private final long millis;
    private final long began = System.nanoTime();
    private boolean asked;

    private enum Limit {
        NONE,
        SOME,
        AT_ONCE
    }

    private ReceiveTimeout(Limit limit, long millis) {
        this.limit = limit;
        this.millis = millis;
    }

    public static ReceiveTimeout forever() {
        return new ReceiveTimeout(Limit.NONE, FOREVER);
    }

    /** Returns the timeout of the API's {@code receive(timeout)}, in milliseconds; zero has no limit. */
    public static ReceiveTimeout atMost(long millis) {
        return millis == FOREVER ? forever() : new ReceiveTimeout(Limit.SOME, millis);
    }

    public static ReceiveTimeout notAtAll() {
        return new ReceiveTimeout(Limit.AT_ONCE, FOREVER);
    }

    /** Asks a consumer for its next message; null if none arrives in the remaining time. */
    @Nullable
    public Message ask(Calls calls) throws JMSException {
        boolean again = asked;
        asked = true;
        return switch (limit) {
            case NONE -> calls.waiting().receive();
            case AT_ONCE -> calls.atOnce().receive();
            case SOME -> {
                long left = again ? left() : millis;
                yield again && left <= 0 ? null : calls.timed().receive(left);
            }
        };
    }

    private long left() {
        return millis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    /** Receives a message; null if there is none. */
    @FunctionalInterface
    public interface Call {
        @Nullable
        Message receive() throws JMSException;
    }

    /** Receives a message within a time in milliseconds; null if none arrives. */
    @FunctionalInterface
    public interface TimedCall {
        @Nullable
        Message receive(long millis) throws JMSException;
    }

    /** The three receiving calls of a consumer. */
    public record Calls(Call waiting, TimedCall timed, Call atOnce) {
        public static Calls of(MessageConsumer consumer) {
            return new Calls(consumer::receive, consumer::receive, consumer::receiveNoWait);
        }

        public static Calls of(JMSConsumer consumer) {
            return new Calls(consumer::receive, consumer::receive, consumer::receiveNoWait);
        }
    }
}
