/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.START;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;

final class CertificateIssuerTest {
    private static final int CERT_SIGN = 5;

    private static CertificateIssuer at(Instant now) {
        return new CertificateIssuer(Clock.fixed(now, ZoneOffset.UTC), new SecureRandom());
    }

    private final CertificateIssuer issuing = at(NOW);

    private static PrivateKeyOperations operations(KeyPair pair) {
        return new SoftwareKey(pair.getPrivate(), CryptoProviders.standard());
    }

    private X509Certificate selfSigned(KeyPair pair) throws GeneralSecurityException {
        return issuing.selfSigned(DistinguishedName.encode("CN=alice"), pair.getPublic(), operations(pair));
    }

    private Identity authority() throws GeneralSecurityException {
        KeyPair pair = TestCertificates.ec();
        PrivateKeyOperations key = operations(pair);
        return new Identity(
                "ca", key, List.of(issuing.authority(DistinguishedName.encode("CN=ca"), pair.getPublic(), key)));
    }

    private static Identity identity(Party party) {
        return new Identity("ca", operations(party.pair()), List.of(party.certificate()));
    }

    @ParameterizedTest
    @CsvSource({"EC,0 4,SHA512withECDSA", "RSA,0 2,SHA512withRSA", "Ed25519,0,EdDSA"})
    void selfSignedCertificate_hasTheUsagesOfItsKey(String algorithm, String usages, String signature)
            throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();

        X509Certificate certificate = selfSigned(pair);

        certificate.verify(pair.getPublic());
        assertThat(certificate.getSigAlgName()).isIn(signature, "Ed25519");
        assertThat(usages(certificate)).isEqualTo(usages);
        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
        assertThat(CertificateRules.mayIssue(certificate)).isFalse();
        assertThat(KeyIdentifier.of(certificate)).isEqualTo(KeyIdentifier.ofKey(certificate));
    }

    private static String usages(X509Certificate certificate) {
        boolean[] usage = certificate.getKeyUsage();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < usage.length; i++) {
            if (usage[i]) {
                text.append(text.isEmpty() ? "" : " ").append(i);
            }
        }
        return text.toString();
    }

    @Test
    void certificate_beginsBeforeNowForSlowClocks_andLastsItsTime() throws Exception {
        X509Certificate certificate = selfSigned(TestCertificates.ec());

        assertThat(certificate.getNotBefore().toInstant()).isEqualTo(NOW.minus(Duration.ofMinutes(5)));
        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofDays(825)));
    }

    @Test
    void serialNumbers_arePositive_random_andOfFullLength() throws Exception {
        KeyPair pair = TestCertificates.ec();

        var one = selfSigned(pair).getSerialNumber();
        var other = selfSigned(pair).getSerialNumber();

        assertThat(one).isPositive().isNotEqualTo(other);
        assertThat(one.bitLength()).isEqualTo(127);
        assertThat(other.bitLength()).isEqualTo(127);
    }

    @Test
    void authority_issuesLeavesAlone_andSignsNoMessages() throws Exception {
        X509Certificate certificate = authority().certificate();

        assertThat(certificate.getBasicConstraints()).isZero();
        assertThat(usages(certificate)).isEqualTo(CERT_SIGN + " 6");
        assertThat(CertificateRules.mayIssue(certificate)).isTrue();
        assertThat(CertificateRules.isIdentityThatIssues(certificate)).isFalse();
        assertThatCode(() -> issuing.requireIssuer(authority())).doesNotThrowAnyException();
    }

    @Test
    void issuedCertificate_isSignedByItsIssuer_andNamesIt() throws Exception {
        Identity ca = authority();
        KeyPair pair = TestCertificates.ec();

        X509Certificate certificate = issuing.issued(DistinguishedName.encode("CN=bob"), pair.getPublic(), ca);

        certificate.verify(ca.certificate().getPublicKey());
        assertThat(certificate.getIssuerX500Principal())
                .isEqualTo(ca.certificate().getSubjectX500Principal());
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=bob");
        assertThat(certificate.getPublicKey()).isEqualTo(pair.getPublic());
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.4");
        assertThat(CertificateRules.mayIssue(certificate)).isFalse();
    }

    @Test
    void issuedCertificate_livesWithinTheLifeOfItsIssuer() throws Exception {
        Identity ca = identity(TestCertificates.root("CN=ca"));
        KeyPair pair = TestCertificates.ec();

        X509Certificate late = issuing.issued(DistinguishedName.encode("CN=bob"), pair.getPublic(), ca);
        X509Certificate early =
                at(START.plusSeconds(1)).issued(DistinguishedName.encode("CN=bob"), pair.getPublic(), ca);

        assertThat(late.getNotAfter().toInstant()).isEqualTo(END);
        assertThat(early.getNotBefore().toInstant()).isEqualTo(START);
    }

    @Test
    void issuerOutsideItsLife_isRejected() {
        Identity ca = identity(TestCertificates.root("CN=ca"));

        assertThatThrownBy(() -> at(END.plusSeconds(1)).requireIssuer(ca))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage("issuer 'ca': its certificate expired on " + END);
        assertThatThrownBy(() -> at(START.minusSeconds(1)).requireIssuer(ca))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage("issuer 'ca': its certificate is not valid before " + START);
        assertThatCode(() -> at(END).requireIssuer(ca)).doesNotThrowAnyException();
        assertThatCode(() -> at(START).requireIssuer(ca)).doesNotThrowAnyException();
    }

    @Test
    void identityThatIsNoIssuer_isRejectedWithTheRemedy() throws Exception {
        KeyPair pair = TestCertificates.ec();
        Identity leaf = new Identity("alice", operations(pair), List.of(selfSigned(pair)));

        for (Identity wrong : List.of(leaf, identity(CertificateForge.oldIdentity("CN=old")))) {
            assertThatThrownBy(() -> issuing.requireIssuer(wrong))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessage("issuer '" + wrong.name() + "': it is not an issuing identity; make one with: signet"
                            + " identity create NAME --dn DN --ca");
        }
    }

    @Test
    void keyThatCannotSign_isRejected() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("X25519").generateKeyPair();

        assertThatThrownBy(() -> selfSigned(pair))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("key cannot sign");
    }
}
