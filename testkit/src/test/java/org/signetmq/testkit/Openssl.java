/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The stock openssl command in a folder.
 *
 * @param folder where it runs
 */
public record Openssl(Path folder) {
    /**
     * Runs a command, and returns its output and then its error output.
     *
     * @throws AssertionError if openssl fails
     */
    public String run(String... arguments) throws IOException {
        return attempt(arguments).ok().text();
    }

    /** Runs a command that may fail. */
    public Run attempt(String... arguments) throws IOException {
        return Run.of(
                folder,
                Stream.concat(Stream.of("openssl"), Stream.of(arguments)).toList());
    }

    /** As {@link #run}, for a command line whose words have no blanks. */
    public String line(String words) throws IOException {
        return run(words.split(" "));
    }

    /** Writes a file of the folder. */
    public Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    /** Returns the bytes of a file of the folder. */
    public byte[] read(String name) throws IOException {
        return Files.readAllBytes(folder.resolve(name));
    }
}
