/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.home.HomeTest.assertUnusable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PasswordTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "secret|secret",
                "secret\\n|secret",
                "secret\\r\\n|secret",
                "gehéim \\nmore\\n|gehéim ",
                " x\\n\\n| x"
            })
    void file_firstLineCounts(String content, String expected) throws IOException {
        Path file = write(content.replace("\\n", "\n").replace("\\r", "\r").getBytes(StandardCharsets.UTF_8));

        Password password = Password.fromFile(file);

        assertThat(password.characters()).isEqualTo(expected.toCharArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n", "\nsecret"})
    void emptyFirstLine_isRejected(String content) throws IOException {
        Path file = write(content.getBytes(StandardCharsets.UTF_8));

        assertUnusable(() -> Password.fromFile(file), "empty");
    }

    @Test
    void unusableFiles_areSaid() throws IOException {
        assertUnusable(() -> Password.fromFile(folder.resolve("no")), "no such file");
        Path binary = write(new byte[] {(byte) 0xff, 'x'});
        assertUnusable(() -> Password.fromFile(binary), "not UTF-8");
        Path large = write(new byte[4097]);
        assertUnusable(() -> Password.fromFile(large), "larger than");
    }

    @Test
    void close_wipes() {
        char[] characters = "secret".toCharArray();
        Password password = Password.takeOwnershipOf(characters);

        password.close();

        assertThat(characters).containsOnly('\0');
        assertThat(password).hasToString("Password[***]");
    }

    private Path write(byte[] content) throws IOException {
        Path file = Files.write(folder.resolve("password"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
