/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShellTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/etc/signet/trust",
                "a b",
                "it's",
                "''",
                "$(touch x)",
                "`id`",
                "a;b&c|d",
                "*?[x]",
                "~root",
                "-rf",
                "a\\b",
                "a\"b",
                "#x",
                "!!",
                "{a,b}",
                "ünï",
                "a>b<c",
            })
    void quotedPath_isOneWordOfAShell(String text) throws Exception {
        assertThat(wordsOfShell(ShellText.quoted(Path.of(text)))).isEqualTo("[" + text + "]");
    }

    @Test
    void plainPath_isNotQuoted() {
        assertThat(ShellText.quoted(Path.of("/etc/signet-1/a_b.c+d,e@f%g=h:i")))
                .isEqualTo("/etc/signet-1/a_b.c+d,e@f%g=h:i");
    }

    @Test
    void controlCharacters_areShownAsQuestionMarks() {
        Path path = Path.of("a\nb\u001b[31mc\td\u007f");

        assertThat(ShellText.shown(path)).isEqualTo("a?b?[31mc?d?");
        assertThat(ShellText.quoted(path)).isEqualTo("'a?b?[31mc?d?'");
    }

    private static String wordsOfShell(String text) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", "printf '[%s]' " + text).start();
        String words = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).isZero();
        return words;
    }
}
