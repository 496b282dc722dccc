/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.console.Json;
import org.signetmq.testkit.Ports;
import org.signetmq.testkit.Run;

/** {@code signet serve} as a process, asked by curl as its help says. */
final class ServeIT {
    private static final Path JAR = Path.of("target", "signet.jar").toAbsolutePath();
    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path folder;

    @Test
    void process_saysThatItListens_opensForCurl_andEndsBySigterm() throws Exception {
        assumeTrue(Run.isInstalled("curl"), "no curl");
        CliRun signet = new CliRun(folder).given(CliRun.ALICE_AND_BOB);
        Files.write(
                folder.resolve("order.cms"),
                signet.input("4711".getBytes(UTF_8))
                        .ok("message seal --address privacy --as alice")
                        .bytes());
        int port = Ports.free();
        ProcessBuilder serve = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        JAR.toString(),
                        "serve",
                        "--as",
                        "bob",
                        "--token-file",
                        "serve.token",
                        "--listen",
                        "127.0.0.1:" + port)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("audit").toFile())
                .redirectError(folder.resolve("err").toFile());
        serve.environment().put("SIGNET_PASSWORD", "correct horse");
        Process process = serve.start();
        try {
            await().until(() ->
                    text("err").contains("listening on http://127.0.0.1:" + port + ", opens by the keys of bob\n"));

            Run opened = Run.of(
                            folder,
                            List.of(
                                    "sh",
                                    "-c",
                                    "printf 'Authorization: Bearer %s' \"$(cat serve.token)\" | curl -sS -H @- --data-binary"
                                            + " @order.cms 'http://127.0.0.1:" + port + "/open?address=privacy'"),
                            Map.of())
                    .ok();
            assertThat(Json.parse(opened.out()).path("payload").path("text").asText())
                    .isEqualTo("4711");
            assertThat(Json.parse(text("audit")).path("event").asText()).isEqualTo("message-opened");

            process.destroy();
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).isEqualTo(TERMINATED);
            assertThat(text("err").lines()).allMatch(line -> line.startsWith("signet: ") && !line.contains("error"));
            assertThat(text("audit")).doesNotContain("4711\"");
        } finally {
            process.destroyForcibly();
        }
    }

    private String text(String file) throws IOException {
        return Files.readString(folder.resolve(file));
    }
}
