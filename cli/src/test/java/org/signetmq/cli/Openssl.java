/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs openssl in a folder. */
record Openssl(Path folder) {
    /** Runs a command that must succeed, and returns what it prints. */
    String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        Path errors = folder.resolve("openssl.errors");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(errors.toFile())
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(String.join(" ", command) + ": " + Files.readString(errors));
        }
        return output + Files.readString(errors);
    }

    /** Runs a command line whose words have no blanks. */
    String line(String words) throws IOException, InterruptedException {
        return run(words.split(" "));
    }
}
