/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ClosedPipeException;

final class AtomicFileTest {
    @TempDir
    private Path folder;

    @Test
    void newFile_isReadableByItsOwnerAlone() throws IOException {
        Path file = folder.resolve("new");

        AtomicFile.replace(file, 3, out -> out.write(new byte[] {1, 2, 3}));

        assertThat(file).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void fileOfOthers_isReplaced_andNoLongerReadableByThem() throws IOException {
        Path file = Files.writeString(folder.resolve("old"), "longer than the new content");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        AtomicFile.replace(file, InputOption.UNKNOWN, out -> out.write('x'));

        assertThat(file).hasContent("x");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void contentThatFails_leavesNoFile() throws IOException {
        Path file = folder.resolve("new");

        assertThatThrownBy(() -> AtomicFile.replace(file, 1, out -> {
                    out.write(1);
                    throw new IllegalStateException("x");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void folderThatIsAbsent_isAFailureOfTheCommand() {
        Path file = folder.resolve("absent/new");

        assertThatThrownBy(() -> AtomicFile.replace(file, 1, out -> out.write(1)))
                .isInstanceOf(CliException.class)
                .hasMessage(file + ": its folder does not exist");
    }

    @Test
    void errorOfTheSystem_namesTheFile() throws IOException {
        try (OutputStream out = new NamedOutput(failing("No space left on device"), Path.of("target"))) {
            assertThatThrownBy(() -> out.write(new byte[2], 0, 2)).hasMessage("target: No space left on device");
            assertThatThrownBy(() -> out.write(1)).hasMessage("target: No space left on device");
        }
    }

    @Test
    void pipeWithoutAReader_isAClosedPipe() throws IOException {
        try (OutputStream out = new NamedOutput(failing("Broken pipe"), Path.of("target"))) {
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(ClosedPipeException.class);
        }
    }

    private static OutputStream failing(String problem) {
        return new FilterOutputStream(OutputStream.nullOutputStream()) {
            @Override
            public void write(int value) throws IOException {
                throw new IOException(problem);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                throw new IOException(problem);
            }
        };
    }
}
