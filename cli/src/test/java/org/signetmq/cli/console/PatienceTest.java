/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PatienceTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private CommandContext context(Shell.@Nullable Terminal terminal) {
        PrintStream out = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
        Shell.Streams streams =
                new Shell.Streams(InputStream.nullInputStream(), out, new PrintStream(err, true, UTF_8), terminal);
        return new CommandContext(new Shell(streams, Map.of(), Path.of(""), Clock.systemUTC()));
    }

    @Test
    void longWork_isShownEachSecondOnATerminal() {
        try (Patience patience = new Patience(context(prompt -> null), "making an rsa-4096 key")) {
            assertThat(patience).isNotNull();
            assertThat(err.toString(UTF_8)).isEmpty();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(err.toString(UTF_8))
                            .contains("signet: making an rsa-4096 key, 1 s ...", "key, 2 s ..."));
        }
        assertThat(err.toString(UTF_8)).endsWith("\r\u001b[K");
    }

    @Test
    void longWork_isSaidOnceElsewhere() {
        try (Patience patience = new Patience(context(null), "making an rsa-4096 key")) {
            assertThat(patience).isNotNull();
            Awaitility.await().until(() -> err.size() > 0);
        }
        assertThat(err.toString(UTF_8)).isEqualTo("signet: making an rsa-4096 key, which may take some seconds\n");
    }

    @Test
    void shortWork_saysNothing() {
        new Patience(context(prompt -> null), "making an ec-p256 key").close();

        assertThat(err.toString(UTF_8).replace("\r\u001b[K", "")).isEmpty();
    }
}
