/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptBodyTest {
    private final byte[] bytes = new byte[100_000];

    KeptBodyTest() {
        new Random(52).nextBytes(bytes);
    }

    private InputStream arriving() {
        return new ByteArrayInputStream(bytes);
    }

    @Test
    void body_isReadAgainFromItsStart_andHasNoNameInTheFolder() throws IOException {
        KeptBody body = new KeptBody(arriving());

        assertThat(body.fromStart().readNBytes(60_000)).hasSize(60_000);
        assertThat(body.fromStart().readAllBytes()).isEqualTo(bytes);
        assertThat(body.fromStart().readAllBytes()).isEqualTo(bytes);
        assertThat(body.isKept()).isTrue();
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .noneMatch(name -> name.matches("signet\\d+\\.tmp"));
        }
        body.release();
        assertThat(body.isKept()).isFalse();
    }

    @Test
    void bodyThatFillsTheDisk_isReadToItsEnd_butOnlyOnce() throws IOException {
        KeptBody body = new KeptBody(
                arriving(),
                () -> FileChannel.open(Path.of("/dev/full"), StandardOpenOption.READ, StandardOpenOption.WRITE));

        assertThat(body.fromStart().readAllBytes()).isEqualTo(bytes);
        assertThat(body.isKept()).isFalse();
        assertThatThrownBy(() -> body.fromStart().readAllBytes())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no longer be read again");
    }

    @Test
    void bodyWithoutAFolder_isReadOnce(@TempDir Path folder) throws IOException {
        KeptBody body = new KeptBody(
                arriving(), () -> FileChannel.open(folder.resolve("missing/file"), StandardOpenOption.CREATE_NEW));

        assertThat(body.isKept()).isFalse();
        assertThat(body.fromStart().readAllBytes()).isEqualTo(bytes);
    }
}
