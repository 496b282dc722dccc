/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.console.NamedOutput.ClosedPipeException;

final class NamedOutputTest {
    @Test
    void bytes_areWrittenAsTheyAre() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        NamedOutput out = new NamedOutput(bytes, "target");

        out.write("Zoë µs".getBytes(UTF_8));
        out.write('!');

        assertThat(bytes.toString(UTF_8)).isEqualTo("Zoë µs!");
        assertThat(out.hasFailed()).isFalse();
    }

    @Test
    void errorOfTheSystem_namesTheDestination() {
        NamedOutput out = failing("No space left on device");

        assertThatThrownBy(() -> out.write(new byte[2], 0, 2)).hasMessage("target: No space left on device");
        assertThatThrownBy(() -> out.write(1)).hasMessage("target: No space left on device");
        assertThatThrownBy(out::close).hasMessage("target: No space left on device");
        assertThat(out.hasFailed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Broken pipe", "The PIPE has been ended"})
    void pipeWithoutAReader_isAClosedPipe_andNoFailure(String problem) {
        NamedOutput out = failing(problem);

        assertThatThrownBy(() -> out.write(1))
                .isInstanceOf(ClosedPipeException.class)
                .hasMessage("target: closed by its reader");
        assertThat(out.hasFailed()).isFalse();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "No space left on device")
    void errorThatAWriterKeepsToItself_isKnownToTheStream(String problem) {
        NamedOutput out = failing(problem);

        new PrintWriter(out, true, UTF_8).println("x");

        assertThat(out.hasFailed()).isTrue();
    }

    private static NamedOutput failing(String problem) {
        OutputStream failing = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(problem);
            }

            @Override
            public void close() throws IOException {
                throw new IOException(problem);
            }
        };
        return new NamedOutput(failing, "target");
    }
}
