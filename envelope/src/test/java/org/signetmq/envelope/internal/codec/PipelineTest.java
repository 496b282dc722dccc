/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/** Sends numbers through a ring of three slots. */
final class PipelineTest {
    private static final int PLACES = 3;

    /** A slot of the ring. */
    private static final class Slot {
        private int number;
    }

    /** Happens before a stage. */
    @FunctionalInterface
    private interface Hook {
        void at(Slot place) throws IOException;
    }

    /** Counts up to a number, doubles each one, and keeps the results. */
    private static final class Doubling implements Pipeline.Stages<Slot> {
        final List<Integer> written = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger read = new AtomicInteger();
        Hook beforeRead = place -> {};
        Hook beforeWork = place -> {};
        Hook beforeWrite = place -> {};
        private final int count;

        Doubling(int count) {
            this.count = count;
        }

        @Override
        public boolean read(Slot place) throws IOException {
            beforeRead.at(place);
            if (read.get() == count) {
                return false;
            }
            place.number = read.incrementAndGet();
            return true;
        }

        @Override
        public void work(Slot place) throws IOException {
            beforeWork.at(place);
            place.number *= 2;
        }

        @Override
        public void write(Slot place) throws IOException {
            beforeWrite.at(place);
            written.add(place.number);
        }
    }

    private static List<Slot> places() {
        List<Slot> places = new ArrayList<>();
        for (int i = 0; i < PLACES; i++) {
            places.add(new Slot());
        }
        return places;
    }

    @Test
    void everything_isWrittenOnceAndInOrder() throws IOException {
        Doubling stages = new Doubling(10_000);

        Pipeline.run(places(), stages);

        assertThat(stages.written).hasSize(10_000).isSorted().doesNotHaveDuplicates();
        assertThat(stages.written.get(9_999)).isEqualTo(20_000);
    }

    @Test
    void emptyInput_endsAtOnce() throws IOException {
        Doubling stages = new Doubling(0);

        Pipeline.run(places(), stages);

        assertThat(stages.written).isEmpty();
    }

    @Test
    void stages_goOnWhileOthersAreBusyInNoMoreMemoryThanTheSlots() throws IOException {
        CountDownLatch readAhead = new CountDownLatch(PLACES);
        CountDownLatch workedAhead = new CountDownLatch(2);
        Doubling stages = new Doubling(50);
        stages.beforeRead = place -> readAhead.countDown();
        stages.beforeWork = place -> {
            blockUninterruptibly(readAhead); // the reader fills all places meanwhile
            workedAhead.countDown();
        };
        stages.beforeWrite = place -> {
            blockUninterruptibly(workedAhead); // the next one is worked on meanwhile
            assertThat(stages.read.get() - stages.written.size()).isLessThanOrEqualTo(PLACES);
        };

        Pipeline.run(places(), stages);

        assertThat(stages.written).hasSize(50);
    }

    @Test
    void laterWorkThatIsDoneEarlier_isWrittenInItsTurn() throws IOException {
        CountDownLatch second = new CountDownLatch(1);
        Doubling stages = new Doubling(50);
        stages.beforeWork = place -> {
            if (place.number == 1) {
                blockUninterruptibly(second);
            } else {
                second.countDown();
            }
        };

        Pipeline.run(places(), stages);

        assertThat(stages.written).hasSize(50).isSorted();
    }

    @Test
    void laterWorkFails_whatWasReadBeforeItIsWrittenFirst() {
        CountDownLatch failed = new CountDownLatch(1);
        Doubling stages = new Doubling(50);
        stages.beforeWork = place -> {
            if (place.number == 2) {
                failed.countDown();
                throw new IOException("two");
            }
            blockUninterruptibly(failed);
        };

        assertThatThrownBy(() -> Pipeline.run(places(), stages)).hasMessage("two");

        assertThat(stages.written).containsExactly(2);
    }

    @Test
    void readFails_whatWasReadBeforeIsWrittenAndTheFailureThrown() {
        Doubling stages = new Doubling(100);
        stages.beforeRead = place -> {
            if (stages.read.get() == 10) {
                throw new IOException("disk gone");
            }
        };

        assertThatThrownBy(() -> Pipeline.run(places(), stages))
                .isInstanceOf(IOException.class)
                .hasMessage("disk gone");

        assertThat(stages.written).hasSize(10);
    }

    @Test
    void workFails_whatWasDoneBeforeIsWrittenAndNothingElse() {
        Doubling stages = new Doubling(100);
        stages.beforeWork = place -> {
            if (place.number == 10) {
                throw new MalformedEnvelopeException("ten");
            }
        };

        assertThatThrownBy(() -> Pipeline.run(places(), stages)).isInstanceOf(MalformedEnvelopeException.class);

        assertThat(stages.written).hasSize(9);
    }

    @Test
    void writeFails_theRestIsNotReadForNothing() {
        Doubling stages = new Doubling(Integer.MAX_VALUE);
        stages.beforeWrite = place -> {
            if (place.number == 20) {
                throw new IOException("disk full");
            }
        };

        assertThatThrownBy(() -> Pipeline.run(places(), stages))
                .isInstanceOf(IOException.class)
                .hasMessage("disk full");

        assertThat(stages.written).hasSize(9);
    }

    @Test
    void errorInAStage_isNotLost() {
        Doubling stages = new Doubling(5);
        stages.beforeWrite = place -> {
            throw new OutOfMemoryError("in a test");
        };

        assertThatThrownBy(() -> Pipeline.run(places(), stages)).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void readThatNeverReturns_isNotWaitedForAfterAFailure() {
        CountDownLatch never = new CountDownLatch(1);
        Doubling stages = new Doubling(100);
        stages.beforeRead = place -> {
            if (stages.read.get() == 2) {
                blockUninterruptibly(never);
            }
        };
        stages.beforeWork = place -> {
            throw new IOException("broken");
        };

        assertThatThrownBy(() -> Pipeline.run(places(), stages)).hasMessage("broken");
        never.countDown();
    }

    private static void blockUninterruptibly(CountDownLatch latch) {
        boolean opened = false;
        while (!opened) {
            try {
                opened = latch.await(1, TimeUnit.HOURS);
            } catch (InterruptedException ignoredAsAConsoleWould) {
                Thread.interrupted();
            }
        }
    }

    @Test
    void interruptedCaller_isToldAndStaysInterrupted() {
        CountDownLatch never = new CountDownLatch(1);
        Doubling stages = new Doubling(100);
        stages.beforeRead = place -> blockUninterruptibly(never);

        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Pipeline.run(places(), stages)).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        never.countDown();
    }
}
