/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.keystore.home.Password;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;

final class PairFolderTest {
    private static final Setting SEALED = Setting.of(Protection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);

    @TempDir
    private Path temporary;

    @Test
    void homes_haveTheirOwnKeys_andTheCertificatesOfTheOther() throws IOException {
        PairFolder folder = folder(SEALED);

        try (Password password = Password.fromFile(folder.passwordFile())) {
            assertThat(folder.broker().identityStore().load(PairFolder.SENDER, password))
                    .isNotNull();
            assertThat(folder.clients().identityStore().load(PairFolder.RECIPIENT, password))
                    .isNotNull();
        }
        assertThat(folder.clients().identities()).isDirectoryNotContaining("glob:**sender*");
        assertThat(folder.broker().identities()).isDirectoryNotContaining("glob:**recipient*");
        assertThat(folder.broker().recipients().resolve("recipient.pem"))
                .hasSameBinaryContentAs(folder.clients().recipients().resolve("recipient.pem"));
        assertThat(folder.clients().trust().resolve("sender.pem"))
                .hasSameBinaryContentAs(folder.broker().recipients().resolve("sender.pem"));
    }

    @Test
    void policies_areTheSameInBothHomes() throws IOException {
        PairFolder folder = folder(SEALED);

        assertThat(folder.clients().policies())
                .hasSameBinaryContentAs(folder.broker().policies());
        assertThat(folder.broker().policies()).content().contains("rr.#", "recipient", "confidentiality");
    }

    @ParameterizedTest
    @EnumSource(
            value = Protection.class,
            names = {"PLAIN", "NONE", "AMS_CONFIDENTIALITY"})
    void settingWithoutSignet_hasNoPolicy_andClientsWithoutKeys(Protection protection) throws IOException {
        PairFolder folder = folder(Setting.of(protection, new Reuse("32"), KeyKind.P256));

        assertThat(folder.broker().policies()).content().doesNotContain("rr.#");
        assertThat(folder.tlsKeyStore()).as("TLS needs it").exists();
        assertThat(folder.clients().identities()).doesNotExist();
    }

    @Test
    void password_isRandom_andItsOwnersAlone() throws IOException {
        PairFolder one = folder(Setting.PLAIN);
        PairFolder other = folder(Setting.PLAIN);

        assertThat(one.password()).hasSizeGreaterThan(20).isNotEqualTo(other.password());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one.passwordFile())))
                .isEqualTo("rw-------");
    }

    private PairFolder folder(Setting setting) throws IOException {
        PairFolder folder = new PairFolder(Files.createTempDirectory(temporary, "pair"));
        folder.create(setting);
        return folder;
    }
}
