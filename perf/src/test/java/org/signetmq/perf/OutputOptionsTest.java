/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be written in the end, or measured at all, is said at once: these would run for minutes. */
final class OutputOptionsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"micro", "keys", "rr", "tls", "mailbox"})
    void jsonWithoutFolder_isAUsageError(String command) throws Exception {
        Path file = folder.resolve("no/results.json");

        Ran ran = Ran.perf(command, "--json", file.toString());

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err().lines())
                .containsExactly(
                        "signet: error: --json " + file + ": its folder does not exist",
                        "signet: hint: see signet perf " + command + " --help");
        assertThat(ran.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"micro", "keys", "rr", "tls", "mailbox"})
    void plotInAFile_isAUsageError(String command) throws Exception {
        Path file = Files.writeString(folder.resolve("charts"), "");

        Ran inFile = Ran.perf(command, "--plot", file.toString());
        Ran belowFile = Ran.perf(command, "--plot", file.resolve("more").toString());

        assertThat(inFile.exitCode()).isEqualTo(2);
        assertThat(inFile.err()).startsWith("signet: error: --plot " + file + ": is not a folder");
        assertThat(belowFile.exitCode()).isEqualTo(2);
        assertThat(belowFile.err()).startsWith("signet: error: --plot " + file.resolve("more"));
    }

    @ParameterizedTest
    @CsvSource({
        "--size,-1",
        "--clients,0",
        "--queues,0",
        "--seconds,0",
        "--rounds,0",
        "--warm-up,-1",
        "--keys,p257",
        "--reuse,-3",
        "--quality,secrecy",
        "--size,many"
    })
    void wrongArgument_isNamed(String option, String value) throws Exception {
        Ran ran = Ran.perf("rr", option + "=" + value);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err().lines().findFirst().orElseThrow())
                .startsWith("signet: error: ")
                .contains(option)
                .contains(value);
    }

    @Test
    void rowsThatMatchNothing_areAUsageError() throws Exception {
        Ran ran = Ran.perf("micro", "--rows", "seal\\.secrecy.*");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).startsWith("signet: error: --rows seal\\.secrecy.*: matches no row");
    }

    @Test
    void rowsThatAreNoPattern_areAUsageError() throws Exception {
        Ran ran = Ran.perf("micro", "--rows", "(");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).startsWith("signet: error: ").contains("--rows");
    }
}
