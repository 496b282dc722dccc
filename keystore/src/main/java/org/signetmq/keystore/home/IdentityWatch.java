/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.home.IdentityFiles.KeyState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All keys of one identity of a home. After each reading of the home it lists their files when a thread asks for the
 * keys, and loads changed files. If the files cannot be loaded, the earlier keys stay. Thread-safe: while one thread
 * loads, the others use the earlier keys.
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

    private IdentityFiles.KeyFolder seen; // guarded by the lock, as the rest; may be one that could not be loaded
    private KeyState state;
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
        } catch (RuntimeException e) {
            this.password.close();
            throw e;
        }
        this.seen = state.seen();
        this.keys = state.keys().all();
        Finding.warnOfNew(List.of(), state.keys().findings(), LOG);
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
        Finding.warnOfNew(state.keys().findings(), now.keys().findings(), LOG);
        state = now;
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
