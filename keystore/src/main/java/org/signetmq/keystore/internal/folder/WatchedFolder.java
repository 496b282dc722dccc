/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.file.FileStamp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parsed files of a folder. It lists the folder at most once per second, and reads only changed files again.
 * Thread-safe: while one thread reads, the others use the earlier content.
 */
final class WatchedFolder<T> {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedFolder.class);
    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);
    private static final List<String> EXTENSIONS = List.of(".pem", ".crt", ".cer", ".der", ".crl");

    /** A file, with its state when it was read. */
    record FileState(String name, FileStamp stamp) {
        /** Returns the file name without its extension. */
        String stem() {
            return name.substring(0, name.lastIndexOf('.'));
        }
    }

    /** A parsed file, or the reason why it could not be parsed. */
    record Parsed<T>(@Nullable T value, @Nullable String problem) {}

    /** All files of the folder, in the order of their names. */
    record Contents<T>(long version, Map<FileState, Parsed<T>> files) {}

    /** The content of the folder at one time, or the reason why it cannot be used. */
    private record Look<T>(
            long nanoTime,
            FileStamp stamp,
            Contents<T> contents,
            @Nullable KeystoreUnusableException problem) {
        Contents<T> usable() {
            if (problem != null) {
                throw new KeystoreUnusableException(String.valueOf(problem.getMessage()), problem);
            }
            return contents;
        }

        /** Returns the end of the time in which the folder is not listed again. */
        long until() {
            return nanoTime + INTERVAL;
        }
    }

    /**
     * The files of the folder, and the end of the time in which they stay the same, in nanoseconds of the clock. The
     * end is past while the folder is being listed.
     */
    record Settled<T>(Contents<T> contents, long until) {}

    private final Path folder;
    private final CheckedFolder.Check check;
    private final Function<Path, T> parser;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Look<T> last;

    WatchedFolder(CheckedFolder folder, Function<Path, T> parser, LongSupplier nanoTime) {
        this.folder = folder.path();
        this.check = folder.check();
        this.parser = parser;
        this.nanoTime = nanoTime;
    }

    /**
     * Returns the files of the folder. An absent folder is empty.
     *
     * @throws KeystoreUnusableException if it cannot be listed, or other users may write to it or to one of its files
     */
    Contents<T> contents() {
        return current().usable();
    }

    /** Returns the files of the folder as {@link #contents} does, and how long they stay the same. */
    Settled<T> settled() {
        Look<T> look = current();
        return new Settled<>(look.usable(), look.until());
    }

    private Look<T> current() {
        Look<T> seen = last;
        long now = nanoTime.getAsLong();
        if (seen != null && (now - seen.nanoTime() < INTERVAL || !lock.tryLock())) {
            return seen;
        }
        if (seen == null) {
            lock.lock();
        }
        try {
            return look(now, INTERVAL);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lists the folder again if a file came, went or was replaced since the last list. It looks only at the folder's
     * own attributes, because senders choose how often it is called.
     */
    void refresh() {
        Look<T> seen = last;
        if (seen != null && FileStamp.of(folder).equals(seen.stamp())) {
            return;
        }
        lock.lock();
        try {
            var unused = look(nanoTime.getAsLong(), 0);
        } finally {
            lock.unlock();
        }
    }

    private Look<T> look(long now, long interval) {
        Look<T> seen = last;
        if (seen != null && now - seen.nanoTime() < interval) {
            return seen;
        }
        // stamp and listing are taken before the files are read, so that a change in between is noticed next time
        FileStamp stamp = FileStamp.of(folder);
        Contents<T> before = seen == null ? new Contents<>(0, Map.of()) : seen.contents();
        Look<T> made;
        try {
            List<FileState> listing = list();
            boolean same =
                    before.version() > 0 && List.copyOf(before.files().keySet()).equals(listing);
            made = new Look<>(
                    now,
                    stamp,
                    same ? before : new Contents<>(before.version() + 1, parse(listing, before.files())),
                    null);
        } catch (KeystoreUnusableException e) {
            made = new Look<>(now, stamp, before, e);
        }
        last = made;
        return made;
    }

    private List<FileState> list() {
        List<Path> read = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            TreeMap<String, FileState> found = new TreeMap<>();
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = String.valueOf(file.getFileName());
                if (!name.startsWith(".") && EXTENSIONS.stream().anyMatch(name::endsWith)) {
                    found.put(name, new FileState(name, FileStamp.of(file)));
                    read.add(file);
                }
            }
            check.requireSafe(folder, read);
            return List.copyOf(found.values());
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | UncheckedIOException e) {
            // not empty, because an unreadable crl/ must not mean that nothing is revoked
            throw new KeystoreUnusableException(folder + ": cannot be listed", e);
        }
    }

    private Map<FileState, Parsed<T>> parse(List<FileState> listing, Map<FileState, Parsed<T>> known) {
        Map<FileState, Parsed<T>> files = new LinkedHashMap<>();
        for (FileState file : listing) {
            Parsed<T> parsed = known.get(file);
            files.put(file, parsed == null ? parse(file) : parsed);
        }
        return Collections.unmodifiableMap(files);
    }

    private Parsed<T> parse(FileState file) {
        try {
            return new Parsed<>(parser.apply(folder.resolve(file.name())), null);
        } catch (RuntimeException e) {
            String problem = PrintableText.of(e instanceof KeystoreUnusableException ? e.getMessage() : e.toString());
            LOG.warn(
                    "{} is not used: {}",
                    PrintableText.of(folder.resolve(file.name()).toString()),
                    problem);
            return new Parsed<>(null, problem);
        }
    }
}
