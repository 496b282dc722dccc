/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.file.OwnedFolder;
import org.signetmq.keystore.file.StagedFile;

/** A file that is written whole or not at all, readable by its owner alone. */
public final class AtomicFile {
    private AtomicFile() {}

    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Writes the file, in place of one that may be there. If the content throws, nothing changes.
     *
     * @param expected the approximate length in bytes; negative if it is unknown
     */
    public static void replace(Path file, long expected, Content content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw CliException.failure(file + ": its folder does not exist");
        }
        try (OwnedFolder in = OwnedFolder.open(folder);
                CleanUp cleanUp = new CleanUp()) { // large content takes long enough to be interrupted
            StagedFile draft = cleanUp.add(in.draft());
            try (OutputStream out = new NamedOutput(Uncached.output(folder, draft::open, expected), file)) {
                content.writeTo(out);
            }
            draft.replace(String.valueOf(file.getFileName()), OwnedFolder.PRIVATE);
        }
    }
}
