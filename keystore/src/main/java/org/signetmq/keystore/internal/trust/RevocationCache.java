/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.internal.trust.RevocationUpdater.FetchLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fetched lists and answers on disk, so that a restart needs no network. Their signatures are verified again after
 * reading. A folder that cannot be written costs the copies alone. Thread-safe.
 */
class RevocationCache {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationCache.class);
    private static final Pattern OWN = Pattern.compile("[0-9a-f]{64}\\.(crl|ocsp)");

    private final Path folder;
    private final AtomicBoolean complained = new AtomicBoolean();

    RevocationCache(Path folder) {
        this.folder = folder;
    }

    /** Returns the content of a file; empty if it is missing, unreadable or too long. */
    Optional<byte[]> read(String name, int mostBytes) {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try {
            return new WholeFile(folder.resolve(name)).read(mostBytes);
        } catch (IOException | RuntimeException unreadable) {
            complain("read", unreadable);
            return Optional.empty();
        }
    }

    /** Replaces a file as a whole, and removes the oldest files beyond the limit. */
    void write(String name, byte[] content) {
        try {
            WholeFile.makeFolder(folder);
            new WholeFile(folder.resolve(name)).write(content, WholeFile.PRIVATE);
            removeOldest();
        } catch (IOException | RuntimeException unwritable) {
            complain("written", unwritable);
        }
    }

    private void removeOldest() throws IOException {
        Map<String, FileTime> files = new TreeMap<>();
        try (DirectoryStream<Path> listed = Files.newDirectoryStream(folder)) {
            for (Path file : listed) {
                String name = String.valueOf(file.getFileName());
                if (OWN.matcher(name).matches()) {
                    files.put(name, Files.getLastModifiedTime(file));
                }
            }
        }
        // a file from the future counts as old: the clock was ahead, and the file would drive out each newer one
        FileTime soon = FileTime.from(Instant.now().plus(FetchLimits.LEAST_WAIT));
        List<String> oldest = files.entrySet().stream()
                .sorted(Comparator.comparing(
                        file -> file.getValue().compareTo(soon) > 0 ? FileTime.fromMillis(0) : file.getValue()))
                .limit(Math.max(0, files.size() - FetchLimits.TARGETS))
                .map(Map.Entry::getKey)
                .toList();
        for (String name : oldest) {
            new WholeFile(folder.resolve(name)).delete();
        }
    }

    private void complain(String action, Exception problem) {
        if (complained.compareAndSet(false, true)) {
            LOG.warn(
                    "{}: fetched revocations cannot be {} there, so a restart fetches them again: {}",
                    folder,
                    action,
                    problem.getClass().getSimpleName());
        }
    }
}
