/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tells all requesters which phase it is, and the one who waits for the end of a phase that it will not come. */
final class Watch {
    /** What is recorded. */
    enum Stage {
        CONNECTING,
        COLD,
        WARM,
        OVER
    }

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch failed = new CountDownLatch(1);
    private volatile Stage stage = Stage.CONNECTING;
    private volatile boolean anyRoundTrip;
    private volatile @Nullable Throwable failure;

    Stage stage() {
        return stage;
    }

    void begin(Stage next) {
        anyRoundTrip = false;
        stage = next;
        begun.countDown();
    }

    /** Waits until something has begun. */
    void awaitBegin() throws InterruptedException {
        begun.await();
    }

    /** Ends the block early; the first cause counts. */
    synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        begin(Stage.OVER);
        failed.countDown();
    }

    void roundTripDone() {
        anyRoundTrip = true;
    }

    /** Waits for so long, and on until there was a round trip at all: a busy machine may need it. */
    void pass(long millis) throws InterruptedException {
        failed.await(millis, TimeUnit.MILLISECONDS);
        while (!anyRoundTrip && !failed.await(1, TimeUnit.MILLISECONDS)) {
            // a requester gives up in the end
        }
        check();
    }

    /** Throws what failed. */
    void check() {
        Throwable cause = failure;
        if (cause != null) {
            throw new IllegalStateException("block: " + cause, cause);
        }
    }
}
