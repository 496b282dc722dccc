/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** Reads certificate and revocation files of random bytes. */
final class PemFuzzTest {
    /** The first files of the corpus. */
    static Stream<Arguments> files() throws Exception {
        Party root = TestCertificates.root("CN=root");
        byte[] der = root.certificate().getEncoded();
        byte[] pem = Pem.certificatePem(root.certificate()).getBytes(StandardCharsets.US_ASCII);
        byte[] list = TestCertificates.crl(root, TestCertificates.END, root.certificate())
                .getEncoded();
        return Stream.of(der, pem, list, Arrays.copyOf(pem, pem.length / 2), new byte[0])
                .map(Arguments::of);
    }

    @MethodSource("files")
    @FuzzTest(maxDuration = "30s")
    void readCertificates_writtenAndReadAgain_areEqual(byte @NotNull [] bytes) throws IOException {
        Path file = Files.createTempFile("signet-pem-", ".pem");
        try {
            Files.write(file, bytes);
            List<X509Certificate> certificates;
            try {
                certificates = Pem.readCertificates(file);
            } catch (KeystoreUnusableException expected) {
                return; // the only documented failure
            }

            StringBuilder text = new StringBuilder();
            certificates.forEach(certificate -> text.append(Pem.certificatePem(certificate)));
            Files.writeString(file, text);
            assertThat(certificates).isNotEmpty();
            assertThat(Pem.readCertificates(file)).isEqualTo(certificates);
        } finally {
            Files.delete(file);
        }
    }

    @MethodSource("files")
    @FuzzTest(maxDuration = "30s")
    void readRevocationLists_areAtLeastOne_orRefused(byte @NotNull [] bytes) throws IOException {
        Path file = Files.createTempFile("signet-pem-", ".crl");
        try {
            Files.write(file, bytes);
            assertThat(Pem.readCrls(file)).isNotEmpty();
        } catch (KeystoreUnusableException expected) {
            // the only documented failure
        } finally {
            Files.delete(file);
        }
    }
}
