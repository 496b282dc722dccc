/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.home.IdentityFiles.KeyState;
import org.signetmq.policy.Policy.RequiredKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All keys of one identity of a home, and those of its companion {@code NAME.pq} if the home has it. After each reading
 * of the home it lists their files when a thread asks for the keys, and loads changed files. If the files cannot be
 * loaded, the earlier keys stay. Thread-safe: while one thread loads, the others use the earlier keys.
 */
public final class IdentityWatch implements IdentitySource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IdentityWatch.class);

    private final HomeReader home;
    private final IdentityFiles files;
    private final String name;
    private final Password password;
    private final ReentrantLock lock = new ReentrantLock();

    /** The reading of the home after which the files were listed last. */
    private volatile HomeSnapshot looked;

    private List<IdentityFiles.KeyFolder> seen; // guarded by the lock, as the rest; perhaps not loaded
    private KeyState state;
    private @Nullable KeyState companion;
    private boolean closed;
    private volatile List<Identity> keys;

    IdentityWatch(HomeReader home, IdentityFiles files, String name, Password password) {
        this.home = home;
        this.files = files;
        this.name = name;
        this.password = password.copy();
        this.looked = home.files();
        try {
            this.state = files.loadAll(name, this.password, null);
            this.companion = companion();
        } catch (RuntimeException e) {
            this.password.close();
            throw e;
        }
        this.seen = companion == null ? List.of(state.seen()) : List.of(state.seen(), companion.seen());
        this.keys = all();
        Finding.warnOfNew(List.of(), state.keys().findings(), LOG);
    }

    private @Nullable KeyState companion() {
        return files.hasCompanion(name) ? files.loadAll(RequiredKeys.companionOf(name), password, companion) : null;
    }

    private List<Identity> all() {
        List<Identity> all = new ArrayList<>(state.keys().all());
        if (companion != null) {
            all.set(0, all.get(0).with(companion.keys().current()));
            all.addAll(companion.keys().all());
        }
        return List.copyOf(all);
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public List<Identity> current() {
        HomeSnapshot now = home.files();
        if (now != looked && lock.tryLock()) {
            try {
                look(now);
            } finally {
                lock.unlock();
            }
        }
        return keys;
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public List<Identity> afterMiss() {
        var unused = home.refresh();
        HomeSnapshot now = home.files();
        if (now != looked) {
            lock.lock(); // another thread may be loading the key for which this one waits
            try {
                look(now);
            } finally {
                lock.unlock();
            }
        }
        return keys;
    }

    /** Lists the files, and loads those that changed. The caller holds the lock. */
    @SuppressWarnings("ReferenceEquality")
    private void look(HomeSnapshot home) {
        if (closed || looked == home) {
            return;
        }
        looked = home;
        try {
            List<IdentityFiles.KeyFolder> now = files.hasCompanion(name)
                    ? List.of(files.see(name), files.see(RequiredKeys.companionOf(name)))
                    : List.of(files.see(name));
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
        Finding.warnOfNew(state.keys().findings(), now.keys().findings(), LOG);
        companion = companion();
        state = now;
        List<Identity> all = all();
        if (!all.equals(keys)) {
            keys = all;
            LOG.info("identity '{}': {} keys", name, all.size());
        }
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
