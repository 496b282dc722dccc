/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The openssl command in a folder.
 *
 * @param folder where it runs
 * @param program its name or path
 */
public record Openssl(Path folder, String program) {
    /** The variable that names an openssl with post-quantum algorithms. */
    private static final String NEW = "SIGNET_OPENSSL";

    private static final Pattern VERSION = Pattern.compile("OpenSSL (\\d+)\\.(\\d+)\\..*", Pattern.DOTALL);

    /** The stock openssl. */
    public Openssl(Path folder) {
        this(folder, "openssl");
    }

    /**
     * Returns an openssl that reads KEMRecipientInfo and verifies ML-DSA: version 3.6 or later. Skips the test, and
     * tells why in its output, where there is none.
     */
    public static Openssl postQuantum(Path folder) throws IOException {
        String cache = Objects.requireNonNullElse(
                System.getenv("XDG_CACHE_HOME"), System.getProperty("user.home") + "/.cache");
        List<String> programs = Stream.of(System.getenv(NEW), cache + "/signet/openssl/bin/openssl", "openssl")
                .filter(Objects::nonNull)
                .toList();
        for (String program : programs) {
            if (Files.isExecutable(Path.of(program)) || Run.isInstalled(program)) {
                Openssl openssl = new Openssl(folder, program);
                Matcher version = VERSION.matcher(openssl.run("version"));
                if (version.matches()
                        && 100 * Integer.parseInt(version.group(1)) + Integer.parseInt(version.group(2)) >= 306) {
                    return openssl;
                }
            }
        }
        String missing = "no openssl 3.6 or later: testkit/openssl-new.sh builds one, or " + NEW + " names it";
        System.out.println("SKIPPED " + missing);
        assumeTrue(false, missing);
        throw new AssertionError(missing);
    }

    /**
     * Runs a command, and returns its output and then its error output.
     *
     * @throws AssertionError if openssl fails
     */
    public String run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program));
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
