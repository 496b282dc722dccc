/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

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
import java.util.Objects;
import java.util.UUID;

/**
 * A file of results. An ordinary one is replaced whole, or left as it was; devices and pipes, such as
 * {@code /dev/stdout}, are written to as they are.
 */
public final class ResultFile {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** What is there belongs to the system, or to whoever redirected our output: never replaced, nor cut short. */
    private static final List<Path> OF_THE_SYSTEM = List.of(Path.of("/dev"), Path.of("/proc"));

    private final Path named;

    /** The file of this name. */
    public ResultFile(Path named) {
        this.named = named;
    }

    /**
     * Finds out whether it can be written, and leaves everything as it is.
     *
     * @throws IOException if not; the message says why, and not which file
     */
    public void check() throws IOException {
        if (Files.isDirectory(named)) {
            throw new IOException("is a folder");
        }
        if (isWrittenDirectly()) {
            if (!Files.isWritable(named)) {
                throw new IOException("cannot be written");
            }
            return;
        }
        Path file = replaced();
        if (!Files.isDirectory(folder(file))) {
            throw new IOException("its folder does not exist");
        }
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw new IOException("cannot be written");
        }
        Path draft = draft(file);
        try {
            Files.newOutputStream(draft, StandardOpenOption.CREATE_NEW).close();
        } catch (FileSystemException e) {
            throw new IOException("cannot be written" + (e.getReason() == null ? "" : ": " + e.getReason()), e);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Writes these fields as an object. */
    public void write(Map<String, Object> frame) throws IOException {
        byte[] content = JSON.writeValueAsBytes(frame);
        if (isWrittenDirectly()) {
            try (OutputStream out = Files.newOutputStream(named, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
                out.write(content);
                out.write('\n');
            }
            return;
        }
        Path file = replaced();
        Path draft = draft(file);
        try {
            Files.write(draft, content, StandardOpenOption.CREATE_NEW); // with the mode of any new file
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private boolean isWrittenDirectly() {
        Path absolute = named.toAbsolutePath().normalize();
        return Files.exists(named)
                && (!Files.isRegularFile(named) || OF_THE_SYSTEM.stream().anyMatch(absolute::startsWith));
    }

    /** Where a link leads to, so that the link stays. */
    private Path replaced() throws IOException {
        return Files.exists(named) ? named.toRealPath() : named.toAbsolutePath();
    }

    private static Path draft(Path file) {
        return folder(file).resolve("." + UUID.randomUUID() + ".tmp");
    }

    private static Path folder(Path file) {
        return Objects.requireNonNullElse(file.getParent(), file);
    }
}
