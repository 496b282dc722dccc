/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;

/** A home that does not exist is a mistake, and not an empty one. */
final class MissingHomeTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "identity list",
                "identity list --json",
                "identity show alice",
                "identity export alice",
                "policy list",
                "policy show orders",
                "policy explain orders",
                "policy remove orders",
                "policy default",
                "policy unmatched",
                "policy export",
                "policy add-recipient orders alice",
                "message seal --address orders --as alice --in order",
                "doctor home"
            })
    void commandThatReads_exitsWith3AndNamesTheFolder(String command) throws Exception {
        Files.writeString(folder.resolve("order"), "apples");

        Result result = new CliRun(folder).run((command + " --home elsewhere").split(" "));

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .startsWith("signet: error: ")
                .contains(folder.resolve("elsewhere").toString());
        assertThat(folder.resolve("elsewhere")).doesNotExist();
    }
}
