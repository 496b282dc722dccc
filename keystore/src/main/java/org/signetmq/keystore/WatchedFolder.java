/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parsed files of a folder. Looks at the folder's listing at most once per second and reads again only what
 * changed. Thread-safe: while one thread reads, the others go on with what was there before.
 */
final class WatchedFolder<T> {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedFolder.class);
    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);
    private static final List<String> EXTENSIONS = List.of(".pem", ".crt", ".cer", ".der", ".crl");

    /** One file as it was when it was read. */
    record FileState(
            String name,
            FileTime modified,
            long size,
            @Nullable Object key) {
        /** The file name without its extension. */
        String stem() {
            return name.substring(0, name.lastIndexOf('.'));
        }
    }

    /** A parsed file, or why it could not be parsed. */
    record Parsed<T>(@Nullable T value, @Nullable String problem) {}

    /** Everything in the folder, in the order of the names. */
    record Contents<T>(long version, Map<FileState, Parsed<T>> files) {}

    private record Look<T>(long nanoTime, Contents<T> contents) {}

    private final Path folder;
    private final Function<Path, T> parser;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Look<T> last;

    WatchedFolder(Path folder, Function<Path, T> parser, LongSupplier nanoTime) {
        this.folder = folder;
        this.parser = parser;
        this.nanoTime = nanoTime;
    }

    /** What is in the folder; a folder that does not exist is empty. */
    Contents<T> contents() {
        Look<T> seen = last;
        long now = nanoTime.getAsLong();
        if (seen != null && (now - seen.nanoTime() < INTERVAL || !lock.tryLock())) {
            return seen.contents();
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

    private Contents<T> look(long now) {
        Look<T> seen = last;
        if (seen != null && now - seen.nanoTime() < INTERVAL) {
            return seen.contents();
        }
        // the listing is taken before the files are read, so that a change in between is noticed next time
        List<FileState> listing = list();
        Contents<T> contents;
        if (seen == null) {
            contents = new Contents<>(1, parse(listing, Map.of()));
        } else if (List.copyOf(seen.contents().files().keySet()).equals(listing)) {
            contents = seen.contents();
        } else {
            contents = new Contents<>(
                    seen.contents().version() + 1,
                    parse(listing, seen.contents().files()));
        }
        last = new Look<>(now, contents);
        return contents;
    }

    private List<FileState> list() {
        try (Stream<Path> files = Files.list(folder)) {
            TreeMap<String, FileState> found = new TreeMap<>();
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = String.valueOf(file.getFileName());
                if (!name.startsWith(".") && EXTENSIONS.stream().anyMatch(name::endsWith)) {
                    found.put(name, state(name, file));
                }
            }
            return List.copyOf(found.values());
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | UncheckedIOException e) {
            // not "empty": an unreadable crl/ must not mean that nothing is revoked
            throw new KeystoreUnusableException(folder + ": cannot be listed", e);
        }
    }

    private static FileState state(String name, Path file) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileState(name, attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (NoSuchFileException e) {
            // removed since, or a link to nowhere: kept, so that reading it says so
            return new FileState(name, FileTime.fromMillis(0), -1, null);
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
            String problem = e instanceof KeystoreUnusableException ? String.valueOf(e.getMessage()) : e.toString();
            LOG.warn("{} is not used: {}", folder.resolve(file.name()), problem);
            return new Parsed<>(null, problem);
        }
    }
}
