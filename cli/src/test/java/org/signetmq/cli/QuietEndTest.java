/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Shell;

/** A reader that has read enough ends a command without a word; a full disk does not. */
final class QuietEndTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void prepare() throws IOException {
        CliRun cli = new CliRun(folder);
        cli.given("identity create alice --dn CN=alice", "policy set orders --quality privacy --recipient alice");
        Files.writeString(folder.resolve("order"), "ten pounds of apples");
        cli.ok("message seal --address orders --as alice --in order --out order.cms");
    }

    private record Ended(int exitCode, String err) {}

    private Ended run(String problem, String... arguments) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        OutputStream failing = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(problem);
            }
        };
        Shell.Streams streams = new Shell.Streams(
                new ByteArrayInputStream(new byte[0]),
                failing,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                null);
        int exitCode = Main.run(
                new Shell(streams, Map.of("SIGNET_PASSWORD", "correct horse"), folder, Clock.systemUTC()), arguments);
        return new Ended(exitCode, err.toString(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "identity list",
                "identity list --json",
                "identity show alice",
                "identity export alice",
                "policy list",
                "policy show orders",
                "message inspect --in order.cms",
                "message open --address orders --as alice --in order.cms",
                "message seal --address orders --as alice --in order",
                "doctor home",
                "--help",
                "policy set --help"
            })
    void closedPipe_endsEveryCommandQuietly(String command) {
        Ended ended = run("Broken pipe", command.split(" "));

        assertThat(ended.err()).doesNotContain("error");
        assertThat(ended.exitCode()).isIn(ExitCode.OK, ExitCode.FAILURE);
    }

    @Test
    void fullDisk_isAnError() {
        Ended ended = run("No space left on device", "identity", "list");

        assertThat(ended.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(ended.err()).contains("standard output: cannot be written");
    }

    @Test
    void readerOfARealPipeThatLeaves_isNoError() throws Exception {
        Process program = new ProcessBuilder(List.of(
                        "sh",
                        "-c",
                        "set -e; \"$0\" -XX:TieredStopAtLevel=1 -cp \"$1\" org.signetmq.cli.Main identity list --home signet-home"
                                + " 2>err | true; cat err",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        System.getProperty("java.class.path")))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(program.waitFor()).isZero();
    }
}
