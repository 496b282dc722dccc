/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;

/**
 * Bounds the time and number of calls to a token. No call of a PKCS#11 library can be interrupted, so each runs in a
 * thread of this class, and its caller waits for a limited time. The number of threads limits the sessions in the
 * token. Idle threads end.
 *
 * <p>After a call that took too long all others fail at once, but for one in five seconds, until some call ends. So a
 * token that hangs does not stop all threads that need it for the whole limit. Thread-safe.
 */
final class TokenCalls {
    private static final int THREADS = 16;
    private static final int WAITING = 1024;
    private static final long IDLE_SECONDS = 5;
    private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String token;
    private final long maxMillis;
    private final ThreadPoolExecutor threads;
    private volatile boolean isHanging;
    private final AtomicLong lastTrial = new AtomicLong();

    /**
     * Creates an object without threads.
     *
     * @param token names the token in messages
     * @param maxMillis how long a caller waits
     */
    TokenCalls(String token, long maxMillis) {
        this.token = token;
        this.maxMillis = maxMillis;
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                TokenCalls::daemon);
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "signet-token");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Runs a call and returns its result.
     *
     * @throws KeystoreUnusableException if the call throws it, takes too long, or too many calls wait
     */
    <T> T call(Callable<T> call) {
        if (isHanging && !isTrial()) {
            throw tooSlow(null);
        }
        Future<T> result = submitted(call);
        try {
            return result.get(maxMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof KeystoreUnusableException told) {
                throw told;
            }
            throw new KeystoreUnusableException(
                    token + ": it cannot be used (" + TokenFailure.of(failed).code() + ")", failed);
        } catch (TimeoutException slow) {
            lastTrial.set(System.nanoTime());
            isHanging = true;
            abandon(result);
            throw tooSlow(slow);
        } catch (InterruptedException interrupted) {
            abandon(result);
            Thread.currentThread().interrupt();
            throw new KeystoreUnusableException(token + ": interrupted", interrupted);
        }
    }

    /** Returns whether this thread may try a token that hangs. */
    private boolean isTrial() {
        long last = lastTrial.get();
        long now = System.nanoTime();
        return now - last > TRIAL_NANOS && lastTrial.compareAndSet(last, now);
    }

    private void abandon(Future<?> result) {
        result.cancel(false);
        threads.purge();
    }

    private KeystoreUnusableException tooSlow(@Nullable TimeoutException cause) {
        return new KeystoreUnusableException(
                token + ": no answer in " + maxMillis / 1000 + " s; check the token and its connection", cause);
    }

    private <T> T ended(Callable<T> call) throws Exception {
        try {
            return call.call();
        } finally {
            isHanging = false;
        }
    }

    private <T> Future<T> submitted(Callable<T> call) {
        try {
            return threads.submit(() -> ended(call));
        } catch (RejectedExecutionException full) {
            throw new KeystoreUnusableException(
                    token + ": more than " + WAITING + " operations wait for it; it is too slow, or it hangs", full);
        }
    }
}
