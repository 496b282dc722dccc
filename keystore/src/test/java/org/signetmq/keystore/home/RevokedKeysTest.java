/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.LEAF;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.crl;
import static org.signetmq.keystore.internal.x509.TestCertificates.ec;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;
import static org.signetmq.keystore.internal.x509.TestCertificates.rsa;
import static org.signetmq.keystore.internal.x509.TestCertificates.self;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.math.BigInteger;
import java.nio.file.Files;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.List;
import org.bouncycastle.asn1.x509.CRLReason;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.internal.trust.ListForge;
import org.signetmq.keystore.internal.trust.OcspForge;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.internal.x509.TestCertificates.Issuer;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.internal.x509.TestCertificates.Shape;

/** Rejects a key that one issuer revoked under each other certificate. */
final class RevokedKeysTest extends HomeTest {
    private static final Party ONE = root("CN=One");
    private static final Party TWO = root("CN=Two");

    private final KeyPair stolen = ec();
    private final X509Certificate first = certificate("CN=alice", stolen.getPublic(), ONE);
    private final X509Certificate second = certificate("CN=alice", stolen.getPublic(), TWO);

    @BeforeEach
    void trustBoth() {
        trust("one", ONE);
        trust("two", TWO);
    }

    @Test
    void keyOfARevokedRecipient_isRejectedUnderAnotherIssuer() {
        write(home.recipients(), "alice.pem", first);
        assertThat(rejection(second)).isEmpty();

        revoke(ONE, first);

        assertThat(rejection(second))
                .contains("its key is revoked, under the certificate with the serial number "
                        + first.getSerialNumber().toString(16));
        assertThat(rejection(second, CertificateUse.RECEIVING)).isNotEmpty();
    }

    @Test
    void keySeenInAMessage_isRejectedUnderAnotherIssuer() {
        assertThat(rejection(first)).isEmpty();
        revoke(ONE, first);

        assertThat(rejection(second)).isNotEmpty();
    }

    @Test
    void renewalsByOneIssuer_pushOutNoCertificateOfAnother() {
        assertThat(rejection(second)).isEmpty();
        assertThat(rejection(first)).isEmpty();
        for (int i = 0; i < 5; i++) {
            assertThat(rejection(certificate("CN=alice", stolen.getPublic(), TWO)))
                    .isEmpty();
        }
        revoke(ONE, first);

        assertThat(rejection(second)).isNotEmpty();
    }

    @Test
    void keySeenWhenItWasRevokedAlready_isRejectedUnderAnotherIssuer() {
        revoke(ONE, first);
        assertThat(rejection(first)).isNotEmpty();

        assertThat(rejection(second)).isNotEmpty();
    }

    @Test
    void selfSignedCertificateOfTheKey_isRejectedThoughItIsTrusted() {
        X509Certificate own = self("CN=alice", stolen, Shape.USUAL).certificate();
        write(home.trust(), "alice.pem", own);
        write(home.recipients(), "alice.pem", first);
        assertThat(rejection(own)).isEmpty();

        revoke(ONE, first);

        assertThat(rejection(own)).isNotEmpty();
    }

    @Test
    void issuerWithARevokedKey_issuesNothingUnderAnotherRoot() {
        X509Certificate middleOfOne = middle(ONE);
        X509Certificate middleOfTwo = middle(TWO);
        X509Certificate leaf = certificate("CN=bob", ec().getPublic(), new Party("CN=Middle", stolen, middleOfTwo));
        write(home.recipients(), "middle.pem", middleOfOne);
        assertThat(rejection(leaf, middleOfTwo)).isEmpty();

        revoke(ONE, middleOfOne);

        assertThat(rejection(leaf, middleOfTwo)).isNotEmpty();
    }

    @Test
    void anchorWithARevokedKey_issuesNothing() {
        X509Certificate crossed =
                TestCertificates.certificate("CN=Two", TWO.pair().getPublic(), ONE.issuer(), Shape.AUTHORITY);
        write(home.recipients(), "crossed.pem", crossed);
        assertThat(rejection(second)).isEmpty();

        revoke(ONE, crossed);

        assertThat(rejection(second)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keyOfAnOcspAnswer_isRejectedUnderAnotherIssuer(boolean isKnown) throws Exception {
        write(home.root(), "trust.json", "{\"schema\": 1, \"revocation\": {\"ocsp\": \"files\", \"fail\": \"soft\"}}");
        if (isKnown) {
            write(home.recipients(), "alice.pem", first);
        } else {
            assertThat(rejection(first)).isEmpty();
        }
        Files.createDirectories(home.ocsp());
        Files.write(
                home.ocsp().resolve("alice.der"),
                OcspForge.of(ONE, new Party("CN=alice", stolen, first))
                        .revoked()
                        .der());
        looksAgain();

        assertThat(rejection(second)).isNotEmpty();
    }

    @Test
    void modulusWithAnotherExponent_isRejectedToo() throws Exception {
        KeyPair pair = rsa(2048);
        BigInteger modulus = ((RSAPublicKey) pair.getPublic()).getModulus();
        PublicKey other =
                KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, BigInteger.valueOf(65539)));
        X509Certificate plain = certificate("CN=alice", pair.getPublic(), ONE);
        write(home.recipients(), "alice.pem", plain);
        revoke(ONE, plain);

        assertThat(rejection(certificate("CN=alice", other, TWO))).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {CRLReason.superseded, CRLReason.cessationOfOperation, CRLReason.affiliationChanged})
    void keyThatIsStillRight_isAcceptedUnderItsNextCertificate(int reason) throws Exception {
        write(home.recipients(), "alice.pem", first);
        list(ListForge.of(ONE, END).revoking(first.getSerialNumber(), reason).der());

        assertThat(rejection(first)).isNotEmpty();
        assertThat(rejection(second)).isEmpty();
    }

    @Test
    void keyWithoutAReason_isRejected() throws Exception {
        write(home.recipients(), "alice.pem", first);
        list(ListForge.of(ONE, END).revoking(first.getSerialNumber()).der());

        assertThat(rejection(second)).isNotEmpty();
    }

    @Test
    void listOfAStranger_revokesNoKey() {
        write(home.recipients(), "alice.pem", first);
        revoke(new Party("CN=One", ec(), ONE.certificate()), first);

        assertThat(rejection(second)).isEmpty();
    }

    @Test
    void partyThatIssues_revokesNoKeyOfAnother() {
        Party mallory = CertificateForge.oldIdentity("CN=mallory");
        write(home.trust(), "mallory.pem", mallory.certificate());
        write(home.recipients(), "mallory.pem", mallory.certificate());
        X509Certificate claimed = certificate("CN=alice", stolen.getPublic(), mallory);
        assertThat(rejection(claimed)).isEmpty();
        revoke(mallory, claimed);

        assertThat(rejection(claimed)).isNotEmpty();
        assertThat(rejection(second)).isEmpty();
    }

    private X509Certificate middle(Party issuer) {
        return TestCertificates.certificate("CN=Middle", stolen.getPublic(), issuer.issuer(), Shape.AUTHORITY);
    }

    private static X509Certificate certificate(String dn, PublicKey key, Party issuer) {
        return TestCertificates.certificate(
                dn, key, new Issuer(issuer.dn(), issuer.pair()), Shape.USUAL.usage(LEAF | 1 << 5));
    }

    private void revoke(Party issuer, X509Certificate certificate) {
        write(home.crl(), "list.pem", crl(issuer, END, certificate));
        looksAgain();
    }

    private void list(byte[] der) throws Exception {
        Files.createDirectories(home.crl());
        Files.write(home.crl().resolve("list.crl"), der);
        looksAgain();
    }

    private String rejection(X509Certificate certificate, X509Certificate... others) {
        return rejection(certificate, CertificateUse.SIGNING, others);
    }

    private String rejection(X509Certificate certificate, CertificateUse use, X509Certificate... others) {
        looksAgain();
        try {
            trust.check(certificate, List.of(others), use, NOW);
            return "";
        } catch (CertificateRejectedException rejected) {
            assertThat(rejected.reason()).isEqualTo(CertificateRejectedException.Reason.REVOKED);
            return String.valueOf(rejected.getMessage());
        }
    }
}
