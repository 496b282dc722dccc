/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hands buffers from one thread to another one, in their order.
 *
 * @param <T> a buffer
 */
interface Handover<T> {
    /** The kinds of queue that are compared. */
    enum Kind {
        LINKED,
        RING;

        /** Returns an empty queue for at most this many elements. */
        <T> Handover<T> queue(int capacity) {
            return this == LINKED ? linked() : new Ring<>(capacity);
        }

        /** Returns the name in results. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Adds an element; there must be room. */
    void put(T element);

    /** Waits for the next element. */
    T take() throws InterruptedException;

    private static <T> Handover<T> linked() {
        BlockingQueue<T> queue = new LinkedBlockingQueue<>();
        return new Handover<>() {
            @Override
            public void put(T element) {
                queue.add(element);
            }

            @Override
            public T take() throws InterruptedException {
                return queue.take();
            }
        };
    }

    /** A ring for one thread that puts and one that takes: without locks and without garbage. */
    final class Ring<T> implements Handover<T> {
        private static final int SPINS =
                100; // some microseconds: longer than that takes the core from the other thread;

        private final AtomicReferenceArray<@Nullable T> slots;
        private volatile @Nullable Thread waiting;
        private int puts; // of one thread
        private int takes; // of the other thread

        Ring(int capacity) {
            slots = new AtomicReferenceArray<>(capacity);
        }

        @Override
        public void put(T element) {
            slots.set(puts, element);
            puts = (puts + 1) % slots.length();
            LockSupport.unpark(waiting); // nothing happens if no thread waits
        }

        @Override
        public T take() throws InterruptedException {
            T element = slots.get(takes);
            for (int tries = 1; element == null; tries++) {
                if (tries < SPINS) {
                    Thread.onSpinWait();
                } else {
                    await();
                }
                element = slots.get(takes);
            }
            slots.set(takes, null);
            takes = (takes + 1) % slots.length();
            return element;
        }

        private void await() throws InterruptedException {
            waiting = Thread.currentThread(); // before the look at the slot, so that no element is missed
            if (slots.get(takes) == null) {
                LockSupport.park(this);
            }
            waiting = null;
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
