/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates;

final class KeyIdentifierTest {
    private static final KeyPair PAIR = TestCertificates.ec();

    /** RFC 5280 section 4.2.1.2 (1), by the JDK's SHA-1. */
    private static KeyIdentifier computed() throws Exception {
        byte[] bits = SubjectPublicKeyInfo.getInstance(PAIR.getPublic().getEncoded())
                .getPublicKeyData()
                .getBytes();
        return KeyIdentifier.of(MessageDigest.getInstance("SHA-1").digest(bits));
    }

    private static CertificateForge alice() {
        return CertificateForge.of("CN=alice", PAIR);
    }

    private static X509Certificate claiming(int length) {
        byte[] claimed = new byte[length];
        Arrays.fill(claimed, (byte) 7);
        return alice().identifier(claimed).make().certificate();
    }

    @Test
    void certificateWithoutExtension_isNamedByItsKey() throws Exception {
        X509Certificate certificate = alice().make().certificate();

        assertThat(KeyIdentifier.of(certificate)).isEqualTo(computed());
        assertThat(KeyIdentifier.ofKey(certificate)).isEqualTo(computed());
        assertThat(KeyIdentifier.isWellFormed(certificate)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 32, 64})
    void claimedIdentifier_isTheOneOfTheExtension(int length) throws Exception {
        X509Certificate certificate = claiming(length);

        assertThat(KeyIdentifier.of(certificate)).hasToString("07".repeat(length));
        assertThat(KeyIdentifier.ofKey(certificate)).isEqualTo(computed());
        assertThat(KeyIdentifier.isWellFormed(certificate)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65, 2000})
    void identifierOfUselessLength_countsAsMissing(int length) throws Exception {
        X509Certificate certificate = claiming(length);

        assertThat(KeyIdentifier.of(certificate)).isEqualTo(computed());
        assertThat(KeyIdentifier.isWellFormed(certificate)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"3004800207AB, 07ab", "3000, ''", "30028000, ''", "0500, ''", "300381 0100, ''"})
    void identifierOfTheIssuer_isThatOfTheExtension_andEmptyIfItIsUnusable(String value, String expected) {
        X509Certificate certificate = alice().with(
                        Extension.authorityKeyIdentifier, HexFormat.of().parseHex(value.replace(" ", "")))
                .make()
                .certificate();

        assertThat(KeyIdentifier.ofIssuer(certificate)
                        .map(KeyIdentifier::toString)
                        .orElse(""))
                .isEqualTo(expected);
        assertThat(KeyIdentifier.ofIssuer(alice().make().certificate())).isEmpty();
    }

    @Test
    void extensionThatIsNoOctetString_countsAsMissing() throws Exception {
        X509Certificate number = alice().with(Extension.subjectKeyIdentifier, false, DERNull.INSTANCE)
                .make()
                .certificate();

        assertThat(KeyIdentifier.of(number)).isEqualTo(computed());
        assertThat(KeyIdentifier.isWellFormed(number)).isFalse();
    }

    @Test
    void extensionCutShort_countsAsMissingOrIsNoCertificate() throws Exception {
        byte[] value = new DEROctetString(new byte[20]).getEncoded();
        int refused = 0;
        for (int length = 0; length < value.length; length++) {
            X509Certificate certificate;
            try {
                certificate = alice().with(Extension.subjectKeyIdentifier, Arrays.copyOf(value, length))
                        .make()
                        .certificate();
            } catch (IllegalStateException unreadable) {
                refused++;
                continue;
            }
            assertThat(KeyIdentifier.of(certificate)).as("%s bytes", length).isEqualTo(computed());
            assertThat(KeyIdentifier.isWellFormed(certificate))
                    .as("%s bytes", length)
                    .isFalse();
        }
        assertThat(refused).isLessThan(value.length);
    }

    @Test
    void bytes_areCopied() {
        byte[] bytes = {1, 2, 3};
        KeyIdentifier identifier = KeyIdentifier.of(bytes);

        bytes[0] = 9;
        identifier.bytes()[1] = 9;

        assertThat(identifier).hasToString("010203");
        assertThat(identifier.bytes()).isEqualTo(HexFormat.of().parseHex("010203"));
    }

    @Test
    void identifiers_areEqualByTheirBytes() {
        KeyIdentifier identifier = KeyIdentifier.of(new byte[] {1, 2});

        assertThat(identifier)
                .isEqualTo(KeyIdentifier.of(new byte[] {1, 2}))
                .hasSameHashCodeAs(KeyIdentifier.of(new byte[] {1, 2}))
                .isNotEqualTo(KeyIdentifier.of(new byte[] {1, 3}))
                .isNotEqualTo(KeyIdentifier.of(new byte[] {1, 2, 0}))
                .isNotEqualTo("0102");
    }
}
