/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The time that one call of an application waits for a message, over several messages that arrive meanwhile. */
public final class ReceiveTimeout {
    /** For the API, no limit. */
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

    /** As long as the API's {@code receive(timeout)} waits: zero has no limit. */
    public static ReceiveTimeout atMost(long millis) {
        return millis == FOREVER ? forever() : new ReceiveTimeout(Limit.SOME, millis);
    }

    public static ReceiveTimeout notAtAll() {
        return new ReceiveTimeout(Limit.AT_ONCE, FOREVER);
    }

    /** Asks a consumer for its next message; null if there is none in the time that is left. */
    @Nullable
    public Message ask(Asking asking) throws JMSException {
        boolean again = asked;
        asked = true;
        return switch (limit) {
            case NONE -> asking.next();
            case AT_ONCE -> asking.nextAtOnce();
            case SOME -> {
                long left = again ? left() : millis;
                yield again && left <= 0 ? null : asking.nextWithin(left);
            }
        };
    }

    private long left() {
        return millis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    /** The three ways in which the API asks for a message. */
    public interface Asking {
        @Nullable
        Message next() throws JMSException;

        @Nullable
        Message nextWithin(long millis) throws JMSException;

        @Nullable
        Message nextAtOnce() throws JMSException;

        static Asking of(MessageConsumer consumer) {
            return new Asking() {
                @Override
                public @Nullable Message next() throws JMSException {
                    return consumer.receive();
                }

                @Override
                public @Nullable Message nextWithin(long millis) throws JMSException {
                    return consumer.receive(millis);
                }

                @Override
                public @Nullable Message nextAtOnce() throws JMSException {
                    return consumer.receiveNoWait();
                }
            };
        }

        static Asking of(JMSConsumer consumer) {
            return new Asking() {
                @Override
                public @Nullable Message next() {
                    return consumer.receive();
                }

                @Override
                public @Nullable Message nextWithin(long millis) {
                    return consumer.receive(millis);
                }

                @Override
                public @Nullable Message nextAtOnce() {
                    return consumer.receiveNoWait();
                }
            };
        }
    }
}
