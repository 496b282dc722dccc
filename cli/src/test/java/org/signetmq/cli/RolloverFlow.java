/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Numbered messages of one producer to one consumer, at a steady pace. It checks that each comes once, and measures the
 * longest pause on both sides.
 */
final class RolloverFlow implements AutoCloseable {
    private final String name;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger sent = new AtomicInteger();
    private final Set<String> received = ConcurrentHashMap.newKeySet();
    private final LongestGap sends = new LongestGap();
    private final LongestGap receptions = new LongestGap();
    private final AtomicInteger overtaken = new AtomicInteger();
    private int last = -1; // of the thread that receives
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    /** Sends a message. */
    interface Sending {
        void send(String text) throws Exception;
    }

    /** The longest time between two events of one thread. */
    private static final class LongestGap {
        private long last;
        private volatile long longest;

        void event() {
            long now = System.nanoTime();
            if (last != 0) {
                longest = Math.max(longest, now - last);
            }
            last = now;
        }

        Duration longest() {
            return Duration.ofNanos(longest);
        }
    }

    RolloverFlow(String name) {
        this.name = name;
    }

    /** Sends a message at each pace, if the one before is sent. */
    void start(Sending sending, Duration pace) {
        var unused = thread.scheduleAtFixedRate(
                () -> {
                    try {
                        sending.send(Integer.toString(sent.get()));
                        sent.incrementAndGet();
                        sends.event();
                    } catch (Exception e) {
                        failed(e);
                        throw new IllegalStateException(e); // ends the flow
                    }
                },
                0,
                pace.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Takes a message that was received, or an exception in place of one. */
    void receive(Callable<String> message) {
        try {
            String text = message.call();
            assertThat(received.add(text)).as("%s: %s comes once", name, text).isTrue();
            receptions.event();
            int number = Integer.parseInt(text);
            if (number < last) {
                overtaken.incrementAndGet();
            }
            last = number;
        } catch (Exception | AssertionError e) {
            failed(e);
        }
    }

    void failed(Throwable problem) {
        failures.add(problem);
    }

    int received() {
        return received.size();
    }

    void assertNoFailure() {
        assertThat(failures).as(name).isEmpty();
    }

    /** Stops the producer. */
    void stop() throws InterruptedException {
        thread.shutdown();
        assertThat(thread.awaitTermination(5, TimeUnit.MINUTES)).as(name).isTrue();
    }

    boolean isDrained() {
        return received.size() >= sent.get();
    }

    /** Asserts that all was received. */
    void assertWhole() {
        assertNoFailure();
        assertThat(received).as(name).hasSize(sent.get());
    }

    /** Returns the longest time between two messages of the producer or of the consumer. */
    Duration longestPause() {
        return sends.longest().compareTo(receptions.longest()) > 0 ? sends.longest() : receptions.longest();
    }

    @Override
    public String toString() {
        return "%s: %d messages, %d overtaken, longest pause %d ms between sends, %d ms between receptions"
                .formatted(
                        name,
                        received.size(),
                        overtaken.get(),
                        sends.longest().toMillis(),
                        receptions.longest().toMillis());
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
