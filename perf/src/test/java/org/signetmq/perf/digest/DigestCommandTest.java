/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Ran;

/** Wrong options end the command at once: a measurement would run for minutes. */
final class DigestCommandTest {
    @Test
    void noRuns_isWrong() throws Exception {
        assertWrong(Ran.perf("digest", "--runs=0"), "--runs: must be above zero, found 0");
    }

    @Test
    void folderThatIsNone_isNamed(@TempDir Path parent) throws Exception {
        Path file = Files.createFile(parent.resolve("file"));

        assertWrong(Ran.perf("digest", "--folder=" + file), "--folder " + file + ": not a folder to write to");
    }

    private static void assertWrong(Ran ran, String message) {
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err().lines())
                .containsExactly("signet: error: " + message, "signet: hint: see signet perf digest --help");
        assertThat(ran.out()).isEmpty();
    }
}
