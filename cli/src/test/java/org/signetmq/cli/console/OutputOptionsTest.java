/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OutputOptionsTest {
    @TempDir
    private Path folder;

    @Test
    void newFile_isReadableByItsOwnerAlone() throws IOException {
        Path file = folder.resolve("new");

        OutputOptions.replace(file, out -> out.write(new byte[] {1, 2, 3}));

        assertThat(file).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void fileOfOthers_isReplaced_andNoLongerReadableByThem() throws IOException {
        Path file = Files.writeString(folder.resolve("old"), "longer than the new content");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        OutputOptions.replace(file, out -> out.write('x'));

        assertThat(file).hasContent("x");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void contentThatFails_leavesNoFile() throws IOException {
        Path file = folder.resolve("new");

        assertThatThrownBy(() -> OutputOptions.replace(file, out -> {
                    out.write(1);
                    throw new IllegalStateException("x");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(folder).isEmptyDirectory();
    }
}
