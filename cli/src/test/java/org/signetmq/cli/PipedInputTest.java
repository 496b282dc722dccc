/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each {@code --in} reads a named pipe, as a shell makes one for {@code <(...)}. */
final class PipedInputTest {
    private static final byte[] LARGE = "0123456789abcdef".repeat(20_000).getBytes(UTF_8);

    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void makeHome() throws Exception {
        signet = new CliRun(folder);
        signet.given(
                "identity create alice --dn CN=alice",
                "policy set orders --quality privacy --recipient alice",
                "--home there identity create bob --dn CN=bob");
        assertThat(new ProcessBuilder("mkfifo", folder.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Runs a command while another thread writes into the pipe. */
    private CliRun.Result piped(byte[] bytes, String command) {
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try {
                Files.write(folder.resolve("pipe"), bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        CliRun.Result result = signet.ok((command + " --in pipe").split(" ", -1));
        writing.join();
        return result;
    }

    @Test
    void message_isReadFromAPipe() {
        for (byte[] payload : new byte[][] {"small".getBytes(UTF_8), LARGE}) {
            byte[] sealed =
                    piped(payload, "message seal --address orders --as alice").bytes();

            assertThat(piped(sealed, "message open --address orders --as alice").bytes())
                    .isEqualTo(payload);
            assertThat(piped(sealed, "message inspect").out()).contains("privacy");
        }
    }

    @Test
    void certificatesAndKeys_areReadFromAPipe() throws Exception {
        byte[] certificate = Files.readAllBytes(folder.resolve("there/recipients/bob.pem"));
        byte[] key = signet.ok("--home there identity export bob --private-key").bytes();

        piped(concat(key, certificate), "identity import bob");
        assertThat(signet.out("identity show bob")).contains("CN=bob");
        assertThat(piped(certificate, "--home other trust add bob").out()).contains("added");
        assertThat(piped(certificate, "--home other certificate add bob").out()).contains("added");
    }

    private static byte[] concat(byte[] one, byte[] other) {
        return (new String(one, UTF_8) + new String(other, UTF_8)).getBytes(UTF_8);
    }
}
