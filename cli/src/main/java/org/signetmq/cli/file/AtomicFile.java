/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.Draft;
import org.signetmq.keystore.OwnedFolder;

/** A file that is there whole or not at all, readable by its owner alone. */
final class AtomicFile {
    private AtomicFile() {}

    /** What comes into a file. */
    @FunctionalInterface
    public interface Content {
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
        try (OwnedFolder in = OwnedFolder.open(folder);
                Draft draft = in.draft()) {
            Thread cleanUp = new Thread(() -> delete(draft), "signet-clean-up");
            Runtime.getRuntime().addShutdownHook(cleanUp); // large content takes long enough to be interrupted
            try {
                try (OutputStream out = new NamedOutput(Uncached.output(folder, draft::open, expected), file)) {
                    content.writeTo(out);
                }
                draft.replace(String.valueOf(file.getFileName()), OwnedFolder.PRIVATE);
            } finally {
                forget(cleanUp);
            }
        }
    }

    @SuppressWarnings("EmptyCatch") // the process ends: there is nobody left to tell
    private static void delete(Draft draft) {
        try {
            draft.close();
        } catch (IOException e) {
            // the caller cannot do more
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
