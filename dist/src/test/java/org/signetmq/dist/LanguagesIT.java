/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;
import org.signetmq.testkit.Tier;

/**
 * Programs in other languages, beside a release and a published broker. A language that is not installed is skipped.
 */
@Timeout(value = 45, unit = TimeUnit.MINUTES)
final class LanguagesIT {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
    private static final int PATIENCE_MINUTES = 40;

    @TempDir
    private static Path shared;

    private static Release release;

    @TempDir
    private Path folder;

    @BeforeAll
    static void unpack() throws IOException {
        release = Release.unpackedIn(shared);
    }

    @Test
    void python_packageAndExamples_passTheirTests() throws Exception {
        assumeInstalled("python3");

        assertThat(lastLine(TOP.resolve("python/test"))).contains(" passed").doesNotContain("failed", "error");
    }

    @ParameterizedTest
    @CsvSource({"go,go", "node,npm"})
    void examples_sealAndOpenBesideABroker(String language, String tool) throws Exception {
        assumeInstalled(tool);

        assertThat(lastLine(TOP.resolve("examples/test"), language)).matches("[1-9][0-9]* passed, 0 failed");
    }

    /** Builds an openssl of its own first, for minutes. */
    @Tag(Tier.LONG)
    @Test
    void examplesInRust_sealAndOpenBesideABroker() throws Exception {
        assumeInstalled("cargo");

        assertThat(lastLine(TOP.resolve("examples/test"), "rust")).matches("[1-9][0-9]* passed, 0 failed");
    }

    private static void assumeInstalled(String program) throws IOException {
        assumeThat(Run.isInstalled(program)).as(program + " is installed").isTrue();
    }

    /** Runs a script, which must succeed, and returns the last line of its output. */
    private String lastLine(Path script, String... arguments) throws Exception {
        Path output = folder.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(script.toString()).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.command().addAll(List.of(arguments));
        builder.environment().put("SIGNET", release.launcher().toString());
        builder.environment()
                .put(
                        "ARTEMIS_HOME",
                        Distribution.ARTEMIS_2_56.home().toAbsolutePath().toString());
        builder.environment()
                .put("CARGO_TARGET_DIR", Release.TARGET.resolve("rust").toString());
        Process process = builder.start();
        process.getOutputStream().close();
        try {
            assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
        String said = Files.readString(output);
        assertThat(process.exitValue()).as(said).isZero();
        List<String> lines = said.lines().toList();
        return lines.get(lines.size() - 1);
    }
}
