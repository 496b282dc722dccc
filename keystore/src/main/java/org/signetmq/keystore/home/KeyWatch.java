/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.keys.DaemonThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All keys of one identity outside of this process, the current one first. A thread of its own checks the token or the
 * key service, and the certificates in the home, for changes. It waits a time after each check, or nine times the
 * duration of the check if that is longer, so a slow token spends at most a tenth of its time on checks. After a failed
 * check, also by an {@link Error}, it waits at least five seconds, and the earlier keys stay. No other thread waits for
 * a check. Thread-safe.
 */
public final class KeyWatch implements IdentitySource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeyWatch.class);
    private static final long PAUSE_AFTER_FAILURE = Duration.ofSeconds(5).toNanos();
    private static final int PAUSE_FACTOR = 9;

    private final String name;
    private final long pause;
    private final UnaryOperator<IdentityKeys> check;
    private final ScheduledThreadPoolExecutor thread;
    private IdentityKeys keys; // of the thread alone, as the problem
    private String problem = "";
    private volatile List<Identity> current;

    /**
     * Begins to check.
     *
     * @param first the keys that are there now
     * @param pause the least time after a check
     * @param check returns the keys of a later time from the earlier ones; it may throw
     */
    public KeyWatch(String name, IdentityKeys first, Duration pause, UnaryOperator<IdentityKeys> check) {
        this.name = name;
        this.pause = pause.toNanos();
        this.check = check;
        this.keys = first;
        this.current = first.all();
        Finding.warnOfNew(List.of(), first.findings(), LOG);
        this.thread = new ScheduledThreadPoolExecutor(1, new DaemonThreads("signet-key-watch"));
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        again(this.pause);
    }

    @Override
    public List<Identity> current() {
        return current;
    }

    /** Checks after a time. A message does not wait for a check. */
    private void again(long wait) {
        try {
            var unused = thread.schedule(this::checkOnce, wait, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("identity '{}': its keys are not watched any more", name);
        }
    }

    private void checkOnce() {
        long begun = System.nanoTime();
        long leastPause = pause;
        try {
            become(check.apply(keys));
            problem = "";
        } catch (Throwable e) { // a consumer goes on with the keys that it has, and the next check may succeed
            leastPause = Math.max(pause, PAUSE_AFTER_FAILURE);
            String text = PrintableText.of(e instanceof KeystoreUnusableException ? e.getMessage() : e.toString());
            if (!text.equals(problem) && !thread.isShutdown()) {
                LOG.warn("identity '{}': its earlier keys stay: {}", name, text);
            }
            problem = text;
        } finally {
            again(Math.max(leastPause, PAUSE_FACTOR * (System.nanoTime() - begun)));
        }
    }

    private void become(IdentityKeys now) {
        List<Finding> before = keys.findings();
        keys = now;
        Finding.warnOfNew(before, now.findings(), LOG);
        List<Identity> all = now.all();
        if (!all.equals(current)) {
            current = all;
            LOG.info("identity '{}': {} keys, the current one is {}", name, all.size(), all.get(0));
        }
    }

    /** Ends the thread. The keys stay as they are. */
    @Override
    public void close() {
        thread.shutdownNow();
    }

    @Override
    public String toString() {
        return "KeyWatch[" + name + "]";
    }
}
