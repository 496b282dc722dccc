/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.signetmq.policy.QualityOfProtection.PRIVACY;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.interfaces.RSAPublicKey;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.variant.Payload;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class AmsIdentityTest {
    private static final char[] PASSWORD = "test-only".toCharArray();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void createdIdentity_hasAnRsaKeyOf2048Bits_andIsSelfSigned() throws Exception {
        var certificate = Route.ALICE.certificate();

        assertThat(((RSAPublicKey) certificate.getPublicKey()).getModulus().bitLength())
                .isEqualTo(2048);
        certificate.verify(certificate.getPublicKey());
        certificate.checkValidity();
        assertThat(certificate.getSigAlgName()).isEqualTo("SHA512withRSA");
    }

    @Test
    void identitiesOfAFile_openWhatTheOthersSealed() throws Exception {
        AmsRoute here = Route.of(PRIVACY);
        AmsRoute there =
                new AmsRoute(here.variant(), again(Route.ALICE, "alice"), again(Route.BOB, "bob"), here.provider());
        byte[] payload = Payload.ofSize(100);

        assertThat(there.consumer().open(here.producer().seal(payload))).isEqualTo(payload);
        assertThat(here.consumer().open(there.producer().seal(payload))).isEqualTo(payload);
    }

    @Test
    void file_isForItsOwnerAlone_andNotReplaced() throws Exception {
        Path file = folder.resolve("alice.p12");
        Route.ALICE.write(file, PASSWORD);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThatIOException()
                .isThrownBy(() -> Route.BOB.write(file, PASSWORD))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void wrongPassword_isRejected() throws Exception {
        Path file = folder.resolve("alice.p12");
        Route.ALICE.write(file, PASSWORD);

        assertThatIOException().isThrownBy(() -> AmsIdentity.read(file, "other".toCharArray()));
    }

    private AmsIdentity again(AmsIdentity identity, String name) throws Exception {
        Path file = folder.resolve(name + ".p12");
        identity.write(file, PASSWORD);
        return AmsIdentity.read(file, PASSWORD);
    }
}
