/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.keystore.home.HomeTest.assertUnusable;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.START;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.internal.x509.TestCertificates.Shape;

/** The record of issued certificates: names, time, limits, damage and use at the same time. */
final class IssuedCertificatesTest {
    private static final String BOB = "CN=bob,O=Example";
    private static final Party ROOT = TestCertificates.root("CN=root");

    private final Home home;
    private final IssuedCertificates issued;

    IssuedCertificatesTest(@TempDir Path folder) {
        this.home = new Home(folder);
        this.issued = new IssuedCertificates(home, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @Test
    void namesInOtherOrderAndCase_areOneName_andOthersAreNot() throws IOException {
        X509Certificate first = certificate(BOB, END);
        X509Certificate second = certificate("O=example,CN=BOB", END);
        issued.record(first);
        issued.record(second);
        issued.record(certificate("CN=bob,O=Other", END));

        assertThat(issued.of(new X500Principal("CN=Bob, O=EXAMPLE"))).containsExactly(second, first);
        assertThat(issued.of(new X500Principal("CN=bob"))).isEmpty();
        assertThat(files()).hasSize(2);
    }

    @Test
    void endedCertificate_leavesWithTheNextOneOfItsName() {
        X509Certificate ended = certificate(BOB, NOW.minusSeconds(1));
        issued.record(ended);
        assertThat(issued.of(new X500Principal(BOB))).isEmpty();
        assertThat(issued.all()).containsExactly(ended);
        X509Certificate next = certificate(BOB, END);

        issued.issue(new X500Principal(BOB), earlier -> {
            assertThat(earlier).isEmpty();
            return next;
        });

        assertThat(issued.all()).containsExactly(next);
        issued.record(next); // once more
        assertThat(issued.all()).containsExactly(next);
    }

    @Test
    void refusedCertificate_leavesNoTrace() {
        assertThatThrownBy(() -> issued.issue(new X500Principal(BOB), earlier -> {
                    throw new KeystoreUnusableException("refused");
                }))
                .hasMessage("refused");

        assertThat(issued.all()).isEmpty();
    }

    @Test
    void fourHundredCertificatesOfAName_haveNoRoomForAnother() throws IOException {
        X509Certificate first = certificate(BOB, END);
        issued.record(first);
        Path file = files().get(0);
        Files.writeString(file, Pem.certificatePem(first).repeat(399));
        issued.record(certificate(BOB, END));
        byte[] full = Files.readAllBytes(file);

        assertThatThrownBy(() -> issued.issue(new X500Principal(BOB), earlier -> {
                    throw new AssertionError("nothing is signed in vain");
                }))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("has 400 certificates of this name that have not ended, and 400 are the most;"
                        + " wait until one ends, and issue later ones for a shorter time (--days)");
        assertThat(file).hasBinaryContent(full);
    }

    @Test
    void recordOfAMebibyte_hasNoRoomForAnother() throws IOException {
        String name = "CN=bob,O=" + "x".repeat(2000);
        X509Certificate first = certificate(name, END);
        issued.record(first);
        Path file = files().get(0);
        String one = Pem.certificatePem(first);
        Files.writeString(file, one.repeat((1 << 20) / one.length()));

        assertUnusable(
                () -> issued.record(certificate(name, END)),
                "bytes with another certificate, and 1048576 are the most; wait until");
        assertThat(issued.of(new X500Principal(name))).hasSize((1 << 20) / one.length());
    }

    @Test
    void damagedFile_refusesItsNameAlone() throws IOException {
        issued.record(certificate(BOB, END));
        Files.writeString(files().get(0), "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n");
        X509Certificate carol = certificate("CN=carol", END);

        assertUnusable(
                () -> issued.record(certificate(BOB, END)),
                "it is the record of issued certificates: restore it from a backup");
        issued.record(carol);
        assertThat(issued.of(new X500Principal("CN=carol"))).containsExactly(carol);
    }

    @Test
    void folderThatOtherUsersCanChange_isRefused() throws IOException {
        issued.record(certificate(BOB, END));
        Files.setPosixFilePermissions(home.issued(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertUnusable(() -> issued.record(certificate("CN=carol", END)), "other users");
    }

    @Test
    void fileInPlaceOfTheFolder_isRefusedWithWhatToDo() throws IOException {
        Files.writeString(home.issued(), "");

        assertThatThrownBy(() -> issued.record(certificate(BOB, END)))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("the record of issued certificates cannot be opened or written, so nothing was"
                        + " issued; check its permissions and the disk: ");
    }

    @Test
    void twoThreads_seeEachCertificateOfTheOther() {
        List<Integer> seen = new ArrayList<>(); // only the holder of the lock adds

        CompletableFuture.allOf(
                        CompletableFuture.runAsync(() -> issueFour(seen)),
                        CompletableFuture.runAsync(() -> issueFour(seen)))
                .join();

        assertThat(seen).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(issued.of(new X500Principal(BOB))).hasSize(8);
    }

    private void issueFour(List<Integer> seen) {
        IntStream.range(0, 4)
                .forEach(any -> issued.issue(new X500Principal(BOB), earlier -> {
                    seen.add(earlier.size());
                    return certificate(BOB, END);
                }));
    }

    private static X509Certificate certificate(String name, Instant end) {
        return TestCertificates.certificate(
                name, ROOT.pair().getPublic(), ROOT.issuer(), Shape.USUAL.during(START, end));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(home.issued())) {
            return files.filter(file -> file.toString().endsWith(".pem")).toList();
        }
    }
}
