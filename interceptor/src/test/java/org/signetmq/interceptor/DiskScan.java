/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.testkit.ByteSearch;

/** Looks for a text in every file below a folder, in each encoding in which a broker may write it. */
public record DiskScan(Path folder) {
    private static final List<Charset> ENCODINGS =
            List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE);

    /** The files that hold the text, with the encoding. */
    public List<String> filesWith(String text) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files()) {
            byte[] content = contentIfThere(file);
            for (Charset encoding : ENCODINGS) {
                if (new ByteSearch(text.getBytes(encoding)).isIn(content)) {
                    found.add(folder.relativize(file) + " (" + encoding + ")");
                }
            }
        }
        return found;
    }

    /** Nothing of a file that was deleted meanwhile. */
    private static byte[] contentIfThere(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException deleted) {
            return new byte[0];
        }
    }

    /** The files of large messages. */
    List<Path> largeFiles() throws IOException {
        return files().stream()
                .filter(file -> file.startsWith(folder.resolve("large")))
                .toList();
    }

    /** How many files there are in which large messages wait for their judgement. */
    long scratchFiles() throws IOException {
        return largeFiles().stream()
                .filter(file -> file.toString().endsWith(".tmp"))
                .count();
    }

    /** Looks again if a folder or file goes meanwhile. */
    private List<Path> files() throws IOException {
        while (true) {
            try (Stream<Path> walk = Files.walk(folder)) {
                return walk.filter(Files::isRegularFile).toList();
            } catch (UncheckedIOException changed) {
                if (!(changed.getCause() instanceof NoSuchFileException)) {
                    throw changed.getCause();
                }
            }
        }
    }
}
