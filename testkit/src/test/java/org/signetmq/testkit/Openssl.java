/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        return Run.of(folder, command).ok().text();
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
