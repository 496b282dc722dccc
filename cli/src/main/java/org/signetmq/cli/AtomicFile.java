/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that is there whole or not at all, readable by its owner alone. */
final class AtomicFile {
    private AtomicFile() {}

    /** Writes the file, in place of one that may be there. */
    static void replace(Path file, byte[] content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw CliException.failure(file + ": its folder does not exist");
        }
        // mode 0600 from the start: that is how temporary files are made
        Path temporary = Files.createTempFile(folder, ".signet-", ".tmp");
        try {
            Files.write(temporary, content);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
