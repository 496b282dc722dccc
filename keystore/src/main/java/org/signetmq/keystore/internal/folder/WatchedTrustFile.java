/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.file.FileStamp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings in {@code trust.json}. It looks at the file at most once per second. While a changed file cannot be
 * used, the last good settings stay in force. Once there was a file, its absence is a problem and no new setting,
 * because an editor or a script may remove it for a moment. Thread-safe.
 */
final class WatchedTrustFile {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedTrustFile.class);
    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);

    /**
     * The settings at one time.
     *
     * @param settings the settings in force; null if no file could be used yet
     * @param problem the reason why the file cannot be used; null if it can
     */
    record Look(
            long nanoTime,
            FileStamp stamp,
            long version,
            @Nullable TrustFile settings,
            @Nullable String problem) {
        /** Returns the settings in force. */
        TrustFile usable() {
            if (settings == null) {
                throw new KeystoreUnusableException(String.valueOf(problem));
            }
            return settings;
        }

        long until() {
            return nanoTime + INTERVAL;
        }
    }

    private final CheckedFile checked;
    private final Path file;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Look last;

    /** Whether there was a file since the program started. Guarded by the lock. */
    private boolean found;

    WatchedTrustFile(CheckedFile file, LongSupplier nanoTime) {
        this.checked = file;
        this.file = file.path();
        this.nanoTime = nanoTime;
    }

    /** Returns the settings, which may be those of an earlier file. */
    Look look() {
        Look seen = last;
        long now = nanoTime.getAsLong();
        if (seen != null && (now - seen.nanoTime() < INTERVAL || !lock.tryLock())) {
            return seen;
        }
        if (seen == null) {
            lock.lock();
        }
        try {
            return look(now);
        } finally {
            lock.unlock();
        }
    }

    private Look look(long now) {
        Look seen = last;
        if (seen != null && now - seen.nanoTime() < INTERVAL) {
            return seen;
        }
        // the stamp is taken before the file is read, so that a change in between is noticed next time
        FileStamp stamp = FileStamp.of(file);
        Look made;
        if (!stamp.exists()) {
            made = absent(now, stamp, seen);
        } else if (seen != null && seen.stamp().equals(stamp)) {
            made = new Look(now, stamp, seen.version(), seen.settings(), seen.problem());
        } else {
            made = read(now, stamp, seen);
        }
        last = made;
        return made;
    }

    private Look absent(long now, FileStamp stamp, @Nullable Look seen) {
        // neither a link to nothing nor a file with unreadable attributes is absent
        boolean gone = Files.notExists(file, LinkOption.NOFOLLOW_LINKS);
        TrustFile before = seen == null ? null : seen.settings();
        String problem = null;
        if (found || !gone) {
            problem = file + (gone ? ": removed; put it back, or start the program again" : ": cannot be read");
        } else if (before == null) {
            before = TrustFile.DEFAULT;
        }
        boolean same =
                seen != null && Objects.equals(seen.settings(), before) && Objects.equals(seen.problem(), problem);
        if (!same && problem != null && before != null) { // otherwise each use throws the reason
            LOG.warn("the last settings of trust stay in force: {}", PrintableText.of(problem));
        }
        long version = seen == null ? 1 : seen.version();
        return new Look(now, stamp, same || seen == null ? version : version + 1, before, problem);
    }

    private Look read(long now, FileStamp stamp, @Nullable Look seen) {
        long version = seen == null ? 1 : seen.version() + 1;
        found = true;
        try {
            checked.requireSafe();
            return new Look(now, stamp, version, TrustFile.read(file), null);
        } catch (KeystoreUnusableException unusable) {
            TrustFile before = seen == null ? null : seen.settings();
            if (before != null) { // otherwise each use throws the reason
                LOG.warn(
                        "{} is not used, the last settings stay in force: {}",
                        PrintableText.of(file.toString()),
                        unusable.getMessage());
            }
            return new Look(now, stamp, version, before, String.valueOf(unusable.getMessage()));
        }
    }
}
