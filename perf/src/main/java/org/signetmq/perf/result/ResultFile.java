/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A file of results. An ordinary file is replaced whole, or left as it was. Devices and pipes, such as
 * {@code /dev/stdout}, are written to as they are.
 */
final class ResultFile {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Their files belong to the system, or lead to a redirected output: never replaced, nor cut short. */
    private static final List<Path> OF_THE_SYSTEM = List.of(Path.of("/dev"), Path.of("/proc"));

    private final Path named;

    ResultFile(Path named) {
        this.named = named;
    }

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
        Path draft = draft(replaced());
        if (!Files.isDirectory(draft.resolveSibling("."))) {
            throw new IOException("its folder does not exist");
        }
        try {
            Files.createFile(draft);
        } catch (FileSystemException e) {
            throw new IOException("cannot be written" + (e.getReason() == null ? "" : ": " + e.getReason()), e);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Writes these fields as an object. */
    void write(Map<String, Object> fields) throws IOException {
        byte[] content = JSON.writeValueAsBytes(fields);
        if (isWrittenDirectly()) {
            try (OutputStream out = Files.newOutputStream(named, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
                out.write(content);
                out.write('\n');
            }
            return;
        }
        Path draft = draft(replaced());
        try {
            Files.write(draft, content, StandardOpenOption.CREATE_NEW); // with the mode of any new file
            Files.move(draft, replaced(), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private boolean isWrittenDirectly() {
        Path absolute = named.toAbsolutePath().normalize();
        return Files.exists(named)
                && (!Files.isRegularFile(named) || OF_THE_SYSTEM.stream().anyMatch(absolute::startsWith));
    }

    /** Returns where a link leads to, so that the link stays. */
    private Path replaced() throws IOException {
        return Files.exists(named) ? named.toRealPath() : named.toAbsolutePath();
    }

    private static Path draft(Path file) {
        return file.resolveSibling("." + UUID.randomUUID() + ".tmp");
    }
}
