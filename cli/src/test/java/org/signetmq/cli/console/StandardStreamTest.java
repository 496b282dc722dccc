/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StandardStreamTest {
    @Test
    void text_isPrintedAsUtf8() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        StandardStream.to(bytes).print("Zoë µs");

        assertThat(bytes.toString(UTF_8)).isEqualTo("Zoë µs");
    }

    @ParameterizedTest
    @CsvSource({"Broken pipe, true", "The PIPE has been ended, true", "No space left on device, false"})
    void failedWrite_tellsWhetherTheReaderHasGone(String problem, boolean closed) {
        StandardStream stream = StandardStream.to(failing(problem));
        assertThat(StandardStream.isClosedPipe(stream)).isFalse();

        stream.println("x");

        assertThat(stream.checkError()).isTrue();
        assertThat(StandardStream.isClosedPipe(stream)).isEqualTo(closed);
    }

    @Test
    void anyOtherStream_isNotKnownToBeClosed() {
        PrintStream stream = new PrintStream(failing("Broken pipe"), true, UTF_8);

        stream.println("x");

        assertThat(StandardStream.isClosedPipe(stream)).isFalse();
    }

    @Test
    void errorWithoutAMessage_tellsOfNoPipe() {
        assertThat(StandardStream.tellsOfAPipe(new IOException())).isFalse();
    }

    private static OutputStream failing(String problem) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(problem);
            }
        };
    }
}
