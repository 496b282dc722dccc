/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.clients.Gate.Pace;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class GateTest {
    private static final Pace PACE = new Pace(0, 0);

    private final Gate gate = new Gate(2);
    private final AtomicLong passes = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() throws InterruptedException {
        gate.end();
        threads.shutdown();
        assertThat(threads.awaitTermination(3, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void requesters_workWhenTheGateOpens_andRestAgain() throws Exception {
        Future<?> one = threads.submit(this::work);
        Future<?> other = threads.submit(this::work);

        for (int i = 0; i < 5; i++) {
            gate.awaitRest();
            long before = passes.get();
            gate.pass(5);
            assertThat(passes).as("at rest").hasValue(before);

            gate.open(PACE);
            awaitPassesAbove(before + 100);
        }

        gate.end();
        one.get();
        other.get();
    }

    @Test
    void gateThatOpensAndClosesAtOnce_letsNoneThroughLater() throws Exception {
        start(this::work);
        start(this::work);

        for (int i = 0; i < 500; i++) {
            gate.awaitRest();
            long before = passes.get();
            Thread.onSpinWait();
            assertThat(passes).hasValue(before);
            gate.open(PACE);
        }
    }

    @Test
    void pace_isThatOfTheLastOpening() throws InterruptedException {
        gate.open(PACE);
        gate.open(new Pace(7, 2.5));

        assertThat(gate.awaitPace()).isEqualTo(new Pace(7, 2.5));
    }

    @Test
    void firstRequests_areSpreadOverTheInterval() {
        Pace pace = new Pace(1_000, 10.5);

        assertThat(pace.first(0)).isEqualTo(1_000);
        assertThat(pace.first(1)).isEqualTo(1_010);
        assertThat(pace.first(2)).isEqualTo(1_021);
    }

    @Test
    void failure_endsAWaitAtOnce() {
        threads.execute(() -> gate.fail(new IOException("no reply")));

        assertThatIllegalStateException()
                .isThrownBy(() -> gate.pass(TimeUnit.MINUTES.toMillis(5)))
                .withMessage("no reply")
                .withCauseInstanceOf(IOException.class);
    }

    @Test
    void failure_endsTheWaitForRest() {
        threads.execute(() -> gate.fail(new IOException("no reply")));

        assertThatIllegalStateException().isThrownBy(gate::awaitRest).withMessage("no reply");
    }

    @Test
    void failure_hasTheOtherRequestersRest() throws InterruptedException {
        start(this::work);
        start(this::work);
        gate.open(PACE);
        awaitPassesAbove(0);

        gate.fail(new IOException("no reply"));

        long before = -1;
        while (before != passes.get()) {
            before = passes.get();
            TimeUnit.MILLISECONDS.sleep(100);
        }
        assertThatIllegalStateException().isThrownBy(gate::check);
    }

    @Test
    void firstFailure_isTheOneThatIsTold() {
        gate.fail(new IOException("first"));
        gate.fail(new IOException("second"));

        assertThatIllegalStateException().isThrownBy(gate::check).withMessage("first");
    }

    @Test
    void failureWithoutMessage_isNamedByItsClass() {
        gate.fail(new StackOverflowError());

        assertThatIllegalStateException().isThrownBy(gate::check).withMessage("java.lang.StackOverflowError");
    }

    @Test
    void whatFailsAfterTheEnd_isNoFailure() {
        gate.end();

        gate.fail(new IOException("connection closed"));

        assertThatCode(gate::check).doesNotThrowAnyException();
        assertThat(gate.isOver()).isTrue();
    }

    @Test
    void end_reachesThoseThatRest_andThoseThatWork() throws InterruptedException, ExecutionException {
        Future<@Nullable Pace> resting = threads.submit(gate::awaitPace);
        gate.end();
        assertThat(resting.get()).isNull();

        gate.open(PACE);
        assertThat(gate.awaitPace()).isNull();
    }

    private void start(Callable<@Nullable Void> requester) {
        threads.execute(new FutureTask<>(requester));
    }

    private @Nullable Void work() throws InterruptedException {
        while (gate.awaitPace() != null) {
            passes.incrementAndGet();
        }
        return null;
    }

    private void awaitPassesAbove(long count) throws InterruptedException {
        while (passes.get() <= count) {
            gate.pass(1);
        }
    }
}
