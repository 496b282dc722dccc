/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All commands print, to the letter, what their transcripts show. */
final class TranscriptTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "help",
                "usage",
                "home",
                "identity",
                "renewal",
                "enrolment",
                "separate-keys",
                "post-quantum",
                "bundle",
                "certificate",
                "policy",
                "policies",
                "message",
                "doctor"
            })
    void commands_printWhatWasRecorded(String name) throws IOException {
        assertThat(new Transcript(folder).repeated(name)).isEqualTo(Transcript.recorded(name));
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.cli.CommandsTest#commands")
    void helpOfEveryCommand_isRecorded(List<String> command) throws IOException {
        assertThat(Transcript.recorded("help").lines())
                .contains(("$ signet " + String.join(" ", command)).strip() + " --help");
    }
}
