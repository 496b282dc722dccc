/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that is there whole or not at all, readable by its owner alone. */
final class AtomicFile {
    private AtomicFile() {}

    /** What comes into a file. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Writes the file, in place of one that may be there. */
    static void replace(Path file, byte[] content) throws IOException {
        replace(file, content.length, out -> out.write(content));
    }

    /**
     * Writes the file, in place of one that may be there; if the content fails to come, nothing changes.
     *
     * @param expected about how many bytes will come, if that is known; otherwise a negative number
     */
    static void replace(Path file, long expected, Content content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw CliException.failure(file + ": its folder does not exist");
        }
        // mode 0600 from the start: that is how temporary files are made
        Path temporary = Files.createTempFile(folder, ".signet-", ".tmp");
        Thread cleanUp = new Thread(() -> delete(temporary), "signet-clean-up");
        Runtime.getRuntime().addShutdownHook(cleanUp); // large content takes long enough to be interrupted
        try {
            try (OutputStream out = new NamedOutput(Uncached.output(temporary, expected), file)) {
                content.writeTo(out);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
            forget(cleanUp);
        }
    }

    private static void delete(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // the process ends: there is nobody left to tell
        }
    }

    private static void forget(Thread cleanUp) {
        try {
            Runtime.getRuntime().removeShutdownHook(cleanUp);
        } catch (IllegalStateException endsAlready) {
            // then it runs, and finds nothing
        }
    }
}
