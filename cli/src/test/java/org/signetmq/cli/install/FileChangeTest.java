/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.install.FileChange.Kind;
import org.signetmq.keystore.file.OwnedFolder;

final class FileChangeTest {
    private static final Optional<byte[]> NONE = Optional.empty();

    @TempDir
    private Path folder;

    @Test
    void text_isWritten_edited_removed() {
        assertThat(change(NONE, bytes("b"), Kind.TEXT).participle()).isEqualTo("written");
        assertThat(change(bytes("a"), bytes("b"), Kind.SECRET).participle()).isEqualTo("edited");
        assertThat(change(bytes("a"), NONE, Kind.JAR).participle()).isEqualTo("removed");
    }

    @Test
    void jar_isToldWithItsVersions_asFarAsTheyAreKnown() throws IOException {
        assertThat(change(NONE, jar("2"), Kind.JAR).participle()).isEqualTo("added, version 2");
        assertThat(change(NONE, bytes("no jar"), Kind.JAR).participle()).isEqualTo("added");
        assertThat(change(jar("1"), jar("2"), Kind.JAR).participle()).isEqualTo("replaced, version 1 by 2");
        assertThat(change(bytes("no jar"), jar("2"), Kind.JAR).participle())
                .isEqualTo("replaced, version unknown by 2");
        assertThat(change(bytes("no jar"), bytes("nor this"), Kind.JAR).participle())
                .isEqualTo("replaced");
    }

    @Test
    void fileChangedMeanwhile_isRejected_andStays() throws IOException {
        Files.writeString(file(), "of others");

        assertThatThrownBy(() -> carryOut(change(bytes("a"), bytes("b"), Kind.TEXT)))
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessage("etc/file: changed meanwhile; run the command again");
        assertThatThrownBy(() -> carryOut(change(NONE, bytes("b"), Kind.TEXT)))
                .isInstanceOf(UnusableInstanceException.class);
        assertThat(file()).hasContent("of others");
    }

    @Test
    void fileRemovedMeanwhile_isRejected() {
        assertThatThrownBy(() -> carryOut(change(bytes("a"), NONE, Kind.TEXT)))
                .isInstanceOf(UnusableInstanceException.class);
    }

    @Test
    void editedFile_keepsItsPermissions_butNoOtherMayWriteIt() throws IOException {
        Files.writeString(file(), "a");
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw----"));

        carryOut(change(bytes("a"), bytes("b"), Kind.TEXT));

        assertThat(file()).hasContent("b");
        assertThat(permissions()).isEqualTo("rw-r-----");
    }

    @Test
    void newFile_getsThePermissionsOfTheCaller_andASecretThoseOfItsOwnerAlone() throws IOException {
        carryOut(change(NONE, bytes("b"), Kind.TEXT));
        assertThat(permissions()).isEqualTo("rw-r--r--");

        carryOut(change(bytes("b"), bytes("c"), Kind.SECRET));
        assertThat(permissions()).isEqualTo("rw-------");
    }

    @Test
    void removedFile_isGone() throws IOException {
        Files.writeString(file(), "a");

        carryOut(change(bytes("a"), NONE, Kind.TEXT));

        assertThat(file()).doesNotExist();
    }

    private static FileChange change(Optional<byte[]> before, Optional<byte[]> after, Kind kind) {
        return new FileChange("etc/file", before, after, kind);
    }

    private void carryOut(FileChange change) throws IOException {
        try (OwnedFolder in = OwnedFolder.open(folder)) {
            change.carryOut(in, PosixFilePermissions.fromString("rw-r--r--"));
        }
    }

    private Path file() {
        return folder.resolve("file");
    }

    private String permissions() throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file()));
    }

    private static Optional<byte[]> bytes(String text) {
        return Optional.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<byte[]> jar(String version) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new JarOutputStream(bytes, manifest).close();
        return Optional.of(bytes.toByteArray());
    }
}
