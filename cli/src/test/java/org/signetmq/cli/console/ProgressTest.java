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
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.function.LongConsumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private long millis;
    private final Clock clock = ((InstantSource) () -> Instant.ofEpochMilli(millis)).withZone(ZoneOffset.UTC);

    private CommandContext context(Shell.@Nullable Terminal terminal) {
        return context(terminal, err);
    }

    private CommandContext context(Shell.@Nullable Terminal terminal, OutputStream err) {
        PrintStream out = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
        Shell.Streams streams =
                new Shell.Streams(InputStream.nullInputStream(), out, new PrintStream(err, true, UTF_8), terminal);
        return new CommandContext(new Shell(streams, Map.of(), Path.of(""), clock));
    }

    private String shown() {
        String shown = err.toString(UTF_8);
        err.reset();
        return shown;
    }

    @Test
    void transfer_isShownFromTheThirdSecondOnAndNotForEachPart() {
        LongConsumer progress = new Progress(context(prompt -> null)).ofBytes("sealed", 4L << 30);

        millis = 1999;
        progress.accept(1L << 30);
        String early = shown();
        millis = 2000;
        progress.accept(1L << 30);
        String first = shown();
        millis = 2249;
        progress.accept(2L << 30);
        String tooSoon = shown();
        millis = 4000;
        progress.accept(2L << 30);

        assertThat(early).isEmpty();
        assertThat(first).contains("sealed 1024 MiB, 25 %, 512 MiB/s");
        assertThat(tooSoon).isEmpty();
        assertThat(shown()).contains("sealed 2048 MiB, 50 %, 512 MiB/s");
    }

    @Test
    void unknownLength_hasNoShare() {
        LongConsumer progress = new Progress(context(prompt -> null)).ofBytes("opened", -1);

        millis = 2000;
        progress.accept(1 << 20);

        assertThat(shown()).contains("opened 1 MiB, 1 MiB/s");
    }

    @Test
    void withoutATerminal_nothingIsShown() {
        Progress progress = new Progress(context(null));
        LongConsumer opened = progress.ofBytes("opened", 5);

        millis = 5000;
        opened.accept(1);
        progress.close();

        assertThat(shown()).isEmpty();
    }

    @Test
    void longWork_isShownEachSecondOnATerminal_andSaidOnceElsewhere() {
        ByteArrayOutputStream elsewhere = new ByteArrayOutputStream();
        try (Progress progress = new Progress(context(prompt -> null));
                Progress unwatched = new Progress(context(null, elsewhere))) {
            progress.ofWork("making an rsa-4096 key");
            unwatched.ofWork("making an rsa-4096 key");
            assertThat(err.toString(UTF_8)).isEmpty();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(err.toString(UTF_8))
                            .contains("signet: making an rsa-4096 key, 1 s ...", "key, 2 s ..."));
            Awaitility.await().until(() -> elsewhere.size() > 0);
        }
        assertThat(err.toString(UTF_8)).endsWith("\r\u001b[K");
        assertThat(elsewhere.toString(UTF_8))
                .isEqualTo("signet: making an rsa-4096 key, which may take some seconds\n");
    }

    @Test
    void shortWork_saysNothing() {
        Progress progress = new Progress(context(prompt -> null));
        progress.ofWork("making an ec-p256 key");

        progress.close();

        assertThat(shown()).isEmpty();
    }

    @Test
    void textAfterTheEnd_isNotShown() {
        Progress progress = new Progress(context(prompt -> null));
        progress.show("starting the broker");
        progress.close();
        assertThat(shown()).isEqualTo("\r\u001b[Ksignet: starting the broker ...\r\u001b[K");

        progress.show("sending");

        assertThat(shown()).isEmpty();
    }
}
