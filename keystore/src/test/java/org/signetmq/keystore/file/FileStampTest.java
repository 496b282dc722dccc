/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileStampTest {
    private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("file"), "abc");
        Files.setLastModifiedTime(file, LONG_AGO);
    }

    @Test
    void unchangedFile_hasTheSameStamp() {
        FileStamp stamp = FileStamp.of(file);

        assertThat(stamp.exists()).isTrue();
        assertThat(FileStamp.of(file)).isEqualTo(stamp);
    }

    @Test
    void absentFile_doesNotExist() {
        assertThat(FileStamp.of(folder.resolve("absent")).exists()).isFalse();
        assertThat(FileStamp.of(file.resolve("below a file")).exists()).isFalse();
    }

    @Test
    void longerContentOfTheSameTime_changesTheStamp() throws IOException {
        FileStamp stamp = FileStamp.of(file);

        Files.writeString(file, "abcd");
        Files.setLastModifiedTime(file, LONG_AGO);

        assertThat(FileStamp.of(file)).isNotEqualTo(stamp);
    }

    @Test
    void replacedFileOfTheSameTimeAndSize_changesTheStamp() throws IOException {
        FileStamp stamp = FileStamp.of(file);
        Path other = Files.writeString(folder.resolve("other"), "xyz");
        Files.setLastModifiedTime(other, LONG_AGO);

        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

        assertThat(FileStamp.of(file)).isNotEqualTo(stamp);
    }

    @Test
    void changedPermissions_changeTheStamp() throws IOException {
        FileStamp stamp = FileStamp.of(file);

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));

        assertThat(FileStamp.of(file)).isNotEqualTo(stamp);
    }

    @Test
    void link_hasTheStampOfItsTarget() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);

        assertThat(FileStamp.of(link)).isEqualTo(FileStamp.of(file));
    }
}
