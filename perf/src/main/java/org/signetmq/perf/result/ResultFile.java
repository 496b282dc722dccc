/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A file of results. An ordinary file is replaced whole, or left as it was. Devices and pipes, such as
 * {@code /dev/stdout}, are written to as they are.
 */
record ResultFile(Path named) {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /**
     * Finds out whether the file can be written, and leaves everything as it is.
     *
     * @throws IOException if not; the message says why, and does not name the file
     */
    void check() throws IOException {
        if (Files.isDirectory(named)) {
            throw new IOException("is a folder");
        }
        if (Files.exists(named) && !Files.isWritable(named)) {
            throw new IOException("cannot be written");
        }
        if (isWrittenDirectly()) {
            return;
        }
        Path draft = draft();
        if (!Files.isDirectory(draft.resolveSibling("."))) {
            throw new IOException("its folder does not exist");
        }
        try {
            Files.delete(Files.createFile(draft));
        } catch (FileSystemException e) {
            throw new IOException("cannot be written" + (e.getReason() == null ? "" : ": " + e.getReason()), e);
        }
    }

    /** Writes these fields as an object. */
    void write(Map<String, Object> fields) throws IOException {
        String content = JSON.writeValueAsString(fields);
        if (isWrittenDirectly()) {
            Files.writeString(named, content + "\n", StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            return;
        }
        Path draft = draft();
        try {
            Files.writeString(draft, content, StandardOpenOption.CREATE_NEW); // with the mode of any new file
            Files.move(draft, replaced(), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Tells whether the file belongs to the system, or leads to a redirected output: it must not be replaced. */
    boolean isWrittenDirectly() {
        Path absolute = named.toAbsolutePath().normalize();
        return Files.exists(named)
                && (!Files.isRegularFile(named) || Stream.of("/dev", "/proc").anyMatch(absolute::startsWith));
    }

    /** Returns where a link leads to, so that the link stays. */
    private Path replaced() throws IOException {
        return Files.exists(named) ? named.toRealPath() : named.toAbsolutePath();
    }

    private Path draft() throws IOException {
        return replaced().resolveSibling("." + UUID.randomUUID() + ".tmp");
    }
}
