/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Outputs that must stay as they are, each in a file of {@code src/test/resources/golden}. With the system property
 * {@code signet.golden.write} the files are written instead.
 */
public final class Golden {
    private static final Path FOLDER = Path.of("src/test/resources/golden");

    private Golden() {}

    /** Compares an output with its file. */
    public static void check(String name, String found) throws IOException {
        Path file = FOLDER.resolve(name);
        if (System.getProperty("signet.golden.write") != null) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, found);
        }
        assertThat(found).isEqualTo(Files.readString(file));
    }

    /** Returns what is printed. */
    public static String printed(Consumer<PrintStream> printing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        printing.accept(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
