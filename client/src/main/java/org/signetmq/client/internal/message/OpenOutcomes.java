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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outcomes of opening messages. It counts those that were opened, and times some of them. It makes the exceptions
 * for others; the public API implements that. Thread-safe.
 */
public abstract class OpenOutcomes {
    private static final Logger LOG = LoggerFactory.getLogger(OpenOutcomes.class);

    /** The number of messages of a thread for each one that is timed. */
    private static final int SAMPLED = 64;

    /** The number of messages that each thread has opened since the last one that was timed. */
    private static final ThreadLocal<int[]> UNTIMED = ThreadLocal.withInitial(() -> new int[1]);

    /** The failures in a row without an opened message after which the log says so. */
    private static final int MANY = 10;

    /** The greatest number of addresses whose failures in a row are counted. */
    private static final int ADDRESSES = 1_000;

    /** The reasons that are not in the message. */
    private static final String KEYSTORE = "keystore";

    private static final String INTERNAL = "internal";

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final LongAdder opened = new LongAdder();
    /** The numbers of failures by their reasons, and of messages by their fates and reasons. */
    private final Map<String, LongAdder> fates = new ConcurrentHashMap<>();

    /** The failures since the last message that was opened, by reason, of each address with such failures. */
    private final Map<String, Map<String, Integer>> failing = new ConcurrentHashMap<>();

    private final AtomicLong complained = new AtomicLong(System.nanoTime() - MINUTE);
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

    /**
     * Counts a message that was opened since this start.
     *
     * @param consumer the address of its consumer
     */
    public void opened(long begun, String consumer) {
        opened.increment();
        if (!failing.isEmpty()) {
            failing.remove(consumer);
        }
        if (begun != 0) {
            long nanos = System.nanoTime() - begun;
            times.forEach(receiver -> receiver.accept(nanos));
        }
    }

    /** The fate of a message that could not be opened. */
    public enum Fate {
        QUARANTINED,
        SKIPPED,
        /** Given back to the broker. */
        REJECTED
    }

    /** Counts an attempt to open a message that failed for this reason. */
    protected void failed(String reason) {
        fates.computeIfAbsent(reason, key -> new LongAdder()).increment();
    }

    /** Returns the number of attempts that failed for this reason. */
    public long failures(String reason) {
        LongAdder count = fates.get(reason);
        return count == null ? 0 : count.sum();
    }

    /** Counts the fate of a message that could not be opened, and logs that a consumer gets no other ones. */
    public void unopened(JMSException openFailure, String consumer, Fate fate) {
        String reason = String.valueOf(reason(openFailure));
        failed(fate + reason);
        if (failing.size() >= ADDRESSES && !failing.containsKey(consumer)) {
            return;
        }
        Map<String, Integer> reasons = failing.merge(consumer, Map.of(reason, 1), OpenOutcomes::sum);
        int count = total(reasons);
        long last = complained.get();
        long now = System.nanoTime();
        if (count >= MANY && now - last >= MINUTE && complained.compareAndSet(last, now)) {
            LOG.error(
                    "address {}: the last {} attempts to open a message failed, most of them because of {}; see the lines"
                            + " before this one, and the properties of the messages in quarantine",
                    PrintableText.quoted(consumer),
                    count,
                    reasons.entrySet().stream()
                            .max(Map.Entry.comparingByValue())
                            .map(Map.Entry::getKey)
                            .orElse(reason));
        }
    }

    private static Map<String, Integer> sum(Map<String, Integer> counted, Map<String, Integer> added) {
        Map<String, Integer> sum = new HashMap<>(counted);
        added.forEach((reason, count) -> sum.merge(reason, count, Integer::sum));
        return sum;
    }

    private static int total(Map<String, Integer> reasons) {
        return reasons.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the number of messages with this fate and reason. */
    public long unopened(Fate fate, String reason) {
        return failures(fate + reason);
    }

    /** Returns the failures in a row of the address that has most of them; 0 after a message that was opened. */
    public int failing() {
        return failing.values().stream().mapToInt(OpenOutcomes::total).max().orElse(0);
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

    /** Returns the reason in lower case with hyphens; null if {@link #because} did not make this exception. */
    public abstract @Nullable String reason(JMSException e);

    /** Returns whether {@link #because} made this exception. */
    public boolean isOpenFailure(JMSException e) {
        return reason(e) != null;
    }

    /** Returns whether the consumer may open the next message; false if its own keys or policies are unusable. */
    public boolean mayOpenNext(JMSException openFailure) {
        return !KEYSTORE.equals(reason(openFailure));
    }

    /** Returns whether the message is the reason; false for unusable keys, defects and a lack of memory. */
    public boolean isOfMessage(JMSException openFailure) {
        return mayOpenNext(openFailure) && !INTERNAL.equals(reason(openFailure));
    }

    /** Makes the unchecked counterpart of an exception that {@link #because} made. */
    protected abstract JMSRuntimeException uncheckedFailure(JMSException openFailure);

    /** An action that may throw checked exceptions, such as a call of the provider. */
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
