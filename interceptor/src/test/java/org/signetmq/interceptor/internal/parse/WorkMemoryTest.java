/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class WorkMemoryTest {
    private static final long HEAP = 480 << 20;
    private static final long LONG = 24 << 20;
    private static final long SHORT = 1 << 20;

    private final WorkMemory memory = new WorkMemory(HEAP);

    @Test
    void take_severalTimesOnAThread_countsOnce() throws Exception {
        WorkMemory.Work outer = memory.take(SHORT);
        WorkMemory.Work inner = memory.take(LONG);
        assertThat(memory.taken()).isEqualTo(5 * SHORT);

        inner.close();
        assertThat(memory.taken()).isEqualTo(5 * SHORT);
        outer.close();
        assertThat(memory.taken()).isZero();
    }

    @Test
    void take_ofAShortMessage_countsNothing() throws Exception {
        memory.take(1000).close();
        assertThat(memory.taken()).isZero();
    }

    @Test
    void take_beyondThreeSixteenthsOfTheHeap_isRejected() {
        assertThatThrownBy(() -> memory.take(HEAP / 16 * 3 + 1))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("in the memory of this broker");
    }

    @Test
    void manyThreads_stayWithinTheLimit_andShortMessagesAllPass() throws Exception {
        AtomicLong inUse = new AtomicLong();
        AtomicInteger exceeded = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(40);
        try {
            List<Future<?>> works = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                works.add(threads.submit(() -> {
                    WorkMemory.Work part = memory.take(SHORT);
                    try {
                        if (inUse.addAndGet(5 * SHORT) > HEAP / 3) {
                            exceeded.incrementAndGet();
                        }
                    } finally {
                        inUse.addAndGet(-5 * SHORT);
                        part.close();
                    }
                    return null;
                }));
            }
            for (Future<?> work : works) {
                work.get(1, TimeUnit.MINUTES);
            }
            assertThat(exceeded).hasValue(0);
            assertThat(memory.taken()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Short messages that come later would else take each part that is given back. */
    @Test
    void longMessageThatWaits_isServedBeforeShortOnesThatComeLater() throws Exception {
        WorkMemory.Work most = memory.take(LONG);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<?> longOne = threads.submit(() -> {
                memory.take(HEAP / 16 * 3).close();
                return null;
            });
            await().until(() -> memory.waiting() == 1);
            Future<?> shortOne = threads.submit(() -> {
                memory.take(SHORT).close();
                return null;
            });
            await().until(() -> memory.waiting() == 2);
            most.close();

            longOne.get(1, TimeUnit.MINUTES);
            shortOne.get(1, TimeUnit.MINUTES);
            assertThat(memory.taken()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void messageForWhichSixteenWait_isRejected() throws Exception {
        WorkMemory.Work all = memory.take(HEAP / 16 * 3);
        ExecutorService threads = Executors.newFixedThreadPool(17);
        try {
            List<Future<?>> waiting = new ArrayList<>();
            for (int i = 0; i < 17; i++) {
                waiting.add(threads.submit(() -> {
                    memory.take(LONG).close();
                    return null;
                }));
            }
            int rejected = 0;
            await().until(() -> waiting.stream().filter(Future::isDone).count() == 1);
            all.close();
            for (Future<?> each : waiting) {
                try {
                    each.get(1, TimeUnit.MINUTES);
                } catch (ExecutionException e) {
                    assertThat(e).hasMessageContaining("too many long messages");
                    rejected++;
                }
            }
            assertThat(rejected).isEqualTo(1);
            assertThat(memory.taken()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }
}
