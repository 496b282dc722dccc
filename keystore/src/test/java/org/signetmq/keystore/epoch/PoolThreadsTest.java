/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PoolThreadsTest {
    private final AtomicInteger between = new AtomicInteger();
    private final PoolThreads threads = new PoolThreads(4, between::incrementAndGet);
    private final AtomicInteger done = new AtomicInteger();

    @AfterEach
    void stop() {
        threads.close();
    }

    @Test
    void nothingAsked_noThread() {
        assertThat(threads.count()).isZero();
    }

    @Test
    void oneAfterTheOther_oneThreadDoesAll() {
        for (int i = 1; i <= 5; i++) {
            int expected = i;
            threads.ask(done::incrementAndGet);
            await().until(() -> done.get() == expected);
            await().until(() -> between.get() == expected); // about to be idle
        }

        assertThat(threads.count()).isLessThanOrEqualTo(2); // one asked for while the other was on its way
    }

    @Test
    void allBusy_oneMoreComesUpToTheLimit() {
        CountDownLatch goOn = new CountDownLatch(1);
        for (int i = 1; i <= 10; i++) {
            threads.ask(() -> {
                Threads.await(goOn);
                done.incrementAndGet();
            });
            assertThat(threads.count()).isEqualTo(Math.min(i, 4));
        }
        assertThat(threads.isBehind()).isTrue();

        goOn.countDown();

        await().until(() -> done.get() == 10);
        assertThat(threads.isBehind()).isFalse();
    }

    @Test
    void notNeeded_leavesAllButOne() {
        Semaphore goOn = new Semaphore(0);
        for (int i = 0; i < 4; i++) {
            threads.ask(goOn::acquireUninterruptibly);
        }
        threads.dismissIdle();
        assertThat(threads.count()).isEqualTo(4);

        goOn.release(4);

        await().until(() -> {
            threads.dismissIdle();
            return threads.count() == 1;
        });
        threads.ask(done::incrementAndGet);
        await().until(() -> done.get() == 1);
        assertThat(threads.count()).isEqualTo(1);
    }

    @Test
    void dismissedBeforeTheFirst_laterOnesStay() {
        threads.dismissIdle();
        threads.ask(done::incrementAndGet);
        await().until(() -> done.get() == 1);

        await().during(Duration.ofMillis(200)).until(() -> threads.count() == 1);
    }

    @Test
    void failingTask_doesNotEndItsThread() {
        threads.ask(() -> {
            throw new IllegalStateException("no");
        });
        threads.ask(() -> {
            throw new AssertionError("neither");
        });
        threads.ask(() -> Thread.currentThread().interrupt());
        threads.ask(done::incrementAndGet);

        await().until(() -> done.get() == 1);
    }

    /** Each task runs, in each order of asking, finishing and leaving. */
    @Test
    void askedFromManyThreads_noneIsForgotten() throws Exception {
        int each = 20_000;
        try (Threads askers = new Threads(8)) {
            askers.run(asker -> {
                for (int i = 0; i < each; i++) {
                    threads.ask(done::incrementAndGet);
                    if (i % 100 == 0) {
                        threads.dismissIdle();
                    }
                }
            });
        }

        await().until(() -> done.get() == 8 * each);
    }

    @Test
    void closed_doesNothingMore() {
        threads.ask(done::incrementAndGet);
        await().until(() -> done.get() == 1);

        threads.close();
        threads.close();
        threads.ask(done::incrementAndGet);

        await().until(() -> threads.count() == 0);
        assertThat(done).hasValue(1);
    }
}
