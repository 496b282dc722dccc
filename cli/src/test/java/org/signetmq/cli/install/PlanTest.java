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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.install.Instance.UnusableInstanceException;

final class PlanTest {
    private static final Optional<byte[]> NONE = Optional.empty();

    @TempDir
    private Path folder;

    @BeforeEach
    void makeInstance() throws IOException {
        Files.createDirectory(folder.resolve("etc"));
        Files.createDirectory(folder.resolve("lib"));
        Files.writeString(folder.resolve(Instance.BROKER_XML), "<configuration/>");
        Files.setPosixFilePermissions(
                folder.resolve(Instance.BROKER_XML), PosixFilePermissions.fromString("rw-r-----"));
    }

    @Test
    void text_isWritten_edited_removed() {
        assertThat(summary("etc/file", NONE, bytes("b"))).isEqualTo("etc/file: written");
        assertThat(summary(Instance.PASSWORD, bytes("a"), bytes("b"))).isEqualTo("etc/signet-password: edited");
        assertThat(summary("lib/file", bytes("a"), NONE)).isEqualTo("lib/file: removed");
    }

    @Test
    void jar_isToldWithItsVersions_asFarAsTheyAreKnown() throws IOException {
        assertThat(summary("lib/file", NONE, jar("2"))).isEqualTo("lib/file: added, version 2");
        assertThat(summary("lib/file", NONE, bytes("no jar"))).isEqualTo("lib/file: added");
        assertThat(summary("lib/file", jar("1"), jar("2"))).isEqualTo("lib/file: replaced, version 1 by 2");
        assertThat(summary("lib/file", bytes("no jar"), jar("2")))
                .isEqualTo("lib/file: replaced, version unknown by 2");
        assertThat(summary("lib/file", bytes("no jar"), bytes("nor this"))).isEqualTo("lib/file: replaced");
    }

    @Test
    void details_showTheLinesOfTextsAlone() {
        assertThat(plan("etc/file", bytes("a\nb"), bytes("a\nc")).details())
                .containsExactly(
                        "etc/file: would be edited", "--- etc/file", "+++ etc/file", "@@ line 2 @@", "-b", "+c");
        assertThat(plan(Instance.PASSWORD, bytes("a"), bytes("b")).details())
                .containsExactly("etc/signet-password: would be edited");
        assertThat(plan("lib/file", bytes("a"), bytes("b")).details()).containsExactly("lib/file: would be replaced");
    }

    @Test
    void fileThatIsRemoved_isNotWritten() {
        assertThat(plan("etc/file", NONE, bytes("b")).writes(file())).isTrue();
        assertThat(plan("etc/file", bytes("a"), NONE).writes(file())).isFalse();
        assertThat(plan("etc/other", NONE, bytes("b")).writes(file())).isFalse();
    }

    @Test
    void fileChangedMeanwhile_isRejected_andStays() throws IOException {
        Files.writeString(file(), "of others");

        assertThatThrownBy(() -> plan("etc/file", bytes("a"), bytes("b")).carryOut())
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessage("etc/file: changed meanwhile; run the command again");
        assertThatThrownBy(() -> plan("etc/file", NONE, bytes("b")).carryOut())
                .isInstanceOf(UnusableInstanceException.class);
        assertThat(file()).hasContent("of others");
    }

    @Test
    void fileRemovedMeanwhile_isRejected() {
        assertThatThrownBy(() -> plan("etc/file", bytes("a"), NONE).carryOut())
                .isInstanceOf(UnusableInstanceException.class);
    }

    @Test
    void editedFile_keepsItsPermissions() throws IOException {
        Files.writeString(file(), "a");
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw----"));

        plan("etc/file", bytes("a"), bytes("b")).carryOut();

        assertThat(file()).hasContent("b");
        assertThat(permissions("etc/file")).isEqualTo("rw-rw----");
    }

    @Test
    void newFile_getsThePermissionsOfBrokerXml_andASecretThoseOfItsOwnerAlone() throws IOException {
        plan("etc/file", NONE, bytes("b")).carryOut();
        plan("lib/file", NONE, bytes("b")).carryOut();
        plan(Instance.PASSWORD, NONE, bytes("c")).carryOut();

        assertThat(permissions("etc/file")).isEqualTo("rw-r-----");
        assertThat(permissions("lib/file")).isEqualTo("rw-r-----");
        assertThat(permissions(Instance.PASSWORD)).isEqualTo("rw-------");
    }

    @Test
    void removedFile_isGone() throws IOException {
        Files.writeString(file(), "a");

        plan("etc/file", bytes("a"), NONE).carryOut();

        assertThat(file()).doesNotExist();
    }

    private Plan plan(String file, Optional<byte[]> before, Optional<byte[]> after) {
        return new Plan(
                new Instance(folder),
                List.of(new Plan.Change(file, before, after)),
                List.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty());
    }

    private String summary(String file, Optional<byte[]> before, Optional<byte[]> after) {
        return String.join("\n", plan(file, before, after).summary());
    }

    private Path file() {
        return folder.resolve("etc/file");
    }

    private String permissions(String file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file)));
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
