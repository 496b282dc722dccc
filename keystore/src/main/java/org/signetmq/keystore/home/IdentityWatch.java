/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.home.IdentityFiles.KeyState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All keys of one identity of a home. It lists their files at most once per second, when a thread asks for the keys,
 * and loads changed files. If the files cannot be loaded, the earlier keys stay. Thread-safe: while one thread loads,
 * the others use the earlier keys.
 */
public final class IdentityWatch implements IdentitySource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IdentityWatch.class);
    private static final long INTERVAL = Duration.ofSeconds(1).toNanos();

    private final IdentityFiles files;
    private final String name;
    private final Password password;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private KeyState state;

    /** The last listing, which may be one that could not be loaded. */
    private volatile IdentityFiles.KeyFolder seen;

    private boolean closed;
    private volatile List<Identity> keys;
    private volatile long looked;

    IdentityWatch(IdentityFiles files, String name, Password password, LongSupplier nanoTime) {
        this.files = files;
        this.name = name;
        this.password = password.copy();
        this.nanoTime = nanoTime;
        this.looked = nanoTime.getAsLong();
        try {
            this.state = files.loadAll(name, this.password, null);
        } catch (RuntimeException e) {
            this.password.close();
            throw e;
        }
        this.seen = state.seen();
        this.keys = state.keys().all();
        warn(List.of(), state.keys().findings());
    }

    @Override
    public List<Identity> current() {
        if (nanoTime.getAsLong() - looked >= INTERVAL && lock.tryLock()) {
            try {
                look();
            } finally {
                lock.unlock();
            }
        }
        return keys;
    }

    @Override
    public List<Identity> afterMiss() {
        if (files.folders().equals(seen.folders())) {
            return keys;
        }
        lock.lock(); // another thread may be loading the key for which this one waits
        try {
            if (!files.folders().equals(seen.folders())) {
                look();
            }
        } finally {
            lock.unlock();
        }
        return keys;
    }

    /** Lists the files, and loads those that changed. The caller holds the lock. */
    private void look() {
        looked = nanoTime.getAsLong();
        if (closed) {
            return;
        }
        try {
            IdentityFiles.KeyFolder now = files.see(name);
            if (now.equals(seen)) {
                return;
            }
            seen = now; // also if it cannot be loaded, so that it is tried and logged once
            load();
        } catch (RuntimeException e) { // a consumer goes on with the keys that it has
            String problem = PrintableText.of(e instanceof KeystoreUnusableException ? e.getMessage() : e.toString());
            LOG.warn("identity '{}': its earlier keys stay: {}", name, problem);
        }
    }

    private void load() {
        KeyState now = files.loadAll(name, password, state);
        List<Identity> all = now.keys().all();
        warn(state.keys().findings(), now.keys().findings());
        state = now;
        if (!all.equals(keys)) {
            keys = all;
            LOG.info("identity '{}': {} keys", name, all.size());
        }
    }

    private static void warn(List<Finding> before, List<Finding> now) {
        now.stream()
                .filter(finding -> !before.contains(finding))
                .forEach(finding -> LOG.warn("{}", PrintableText.of(finding.toString())));
    }

    /** Wipes the copy of the password. The keys stay as they are. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            password.close();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "IdentityWatch[" + name + "]";
    }
}
