/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of opening messages. It counts those that were opened, and times some of them. It makes the exceptions
 * for others; the public API implements that. Thread-safe.
 */
public abstract class OpenOutcomes {
    /** The number of messages of a thread for each one that is timed. */
    private static final int SAMPLED = 64;

    /** The number of messages that each thread has opened since the last one that was timed. */
    private static final ThreadLocal<int[]> UNTIMED = ThreadLocal.withInitial(() -> new int[1]);

    private final LongAdder opened = new LongAdder();
    private final CopyOnWriteArrayList<LongConsumer> times = new CopyOnWriteArrayList<>();

    /** Returns the start of a message that is timed; 0 for most messages. */
    public long begin() {
        if (times.isEmpty()) {
            return 0;
        }
        int[] untimed = UNTIMED.get();
        untimed[0] = (untimed[0] + 1) % SAMPLED;
        return untimed[0] == 0 ? System.nanoTime() : 0;
    }

    /** Counts a message that was opened since this start. */
    public void opened(long begun) {
        opened.increment();
        if (begun != 0) {
            long nanos = System.nanoTime() - begun;
            times.forEach(receiver -> receiver.accept(nanos));
        }
    }

    /** Returns the number of messages that were opened. */
    public long opened() {
        return opened.sum();
    }

    /** Adds a receiver of the nanoseconds that the opening of some messages took. */
    public void addReceiver(LongConsumer receiver) {
        times.add(receiver);
    }

    /**
     * Makes the exception for a cause.
     *
     * @param arrived the message that the exception shows; null if it shows none
     */
    public abstract JMSException because(Throwable cause, @Nullable Message arrived);

    /** Returns whether {@link #because} made this exception. */
    public abstract boolean isOpenFailure(JMSException e);

    /** Returns whether the consumer may open the next message; false if its own keys or policies are unusable. */
    public abstract boolean mayOpenNext(JMSException openFailure);

    /** Makes the unchecked counterpart of an exception that {@link #because} made. */
    protected abstract JMSRuntimeException uncheckedFailure(JMSException openFailure);

    /** An action that may throw checked exceptions. */
    public interface Action {
        void run() throws JMSException;
    }

    /** Runs an action of the simplified API, which throws unchecked exceptions alone. */
    public void run(Action action) {
        try {
            action.run();
        } catch (JMSException e) {
            throw unchecked(e);
        }
    }

    /** Makes the unchecked counterpart of an exception, as the simplified API throws it. */
    public JMSRuntimeException unchecked(JMSException e) {
        if (isOpenFailure(e)) {
            return uncheckedFailure(e);
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
