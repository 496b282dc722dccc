/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends what was begun, the last first, once: on close, or when the process is told to stop. Thread-safe. */
final class CleanUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CleanUp.class);

    private final Deque<AutoCloseable> begun = new ArrayDeque<>();
    private final Thread atExit = new Thread(this::endAll, "signet-perf-clean-up");

    CleanUp() {
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** A folder that is deleted with all that is in it. */
    Path folder() throws IOException {
        Path folder = Files.createTempDirectory("signet-perf-"); // mode 0700
        add(() -> delete(folder));
        return folder;
    }

    /** Something to end. */
    synchronized void add(AutoCloseable resource) {
        begun.push(resource);
    }

    @Override
    public void close() {
        endAll();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            LOG.debug("clean-up: done by the hook, the process is stopping", e);
        }
    }

    private synchronized void endAll() {
        while (!begun.isEmpty()) {
            try {
                begun.pop().close();
            } catch (Exception e) {
                LOG.warn("clean-up: something could not be ended", e); // and the others are to be ended all the same
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
