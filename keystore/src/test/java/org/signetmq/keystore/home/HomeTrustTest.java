/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.signetmq.keystore.internal.x509.TestCertificates.CA;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.LEAF;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.START;
import static org.signetmq.keystore.internal.x509.TestCertificates.certificate;
import static org.signetmq.keystore.internal.x509.TestCertificates.crl;
import static org.signetmq.keystore.internal.x509.TestCertificates.ec;
import static org.signetmq.keystore.internal.x509.TestCertificates.issue;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;
import static org.signetmq.keystore.internal.x509.TestCertificates.rsa;
import static org.signetmq.keystore.internal.x509.TestCertificates.self;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.nio.file.Files;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.internal.x509.TestCertificates.Issuer;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.internal.x509.TestCertificates.Shape;
import org.signetmq.keystore.keys.SoftwareKey;

final class HomeTrustTest extends HomeTest {
    private static final Party ROOT = root("CN=Root,O=Example");
    private static final Party MIDDLE = issue("CN=Middle,O=Example", ROOT, Shape.AUTHORITY);
    private static final Party BOB = issue("CN=bob,O=Example", MIDDLE, Shape.USUAL);
    private static final Party ALICE = issue("CN=alice,O=Example", ROOT, Shape.USUAL);

    @BeforeEach
    void trustRoot() {
        trust("root", ROOT);
    }

    @Nested
    final class Paths {
        @Test
        void issuedByTrusted_isAccepted() {
            assertAccepted(ALICE.certificate());
        }

        @Test
        void intermediateAmongOthers_isUsed() {
            assertAccepted(BOB.certificate(), MIDDLE.certificate());
        }

        @Test
        void intermediateAmongRecipients_isUsed() {
            write(home.recipients(), "bob.pem", BOB.certificate(), MIDDLE.certificate());

            assertAccepted(BOB.certificate());
        }

        @Test
        void missingIntermediate_isUntrusted() {
            assertThat(reason(BOB.certificate())).isEqualTo(Reason.UNTRUSTED);
        }

        @Test
        void trustedLeafItself_isAcceptedThoughNoAuthority() {
            Party lone = self("CN=lone", ec(), Shape.USUAL);
            assertThat(reason(lone.certificate())).isEqualTo(Reason.UNTRUSTED);
            trust("lone", lone);
            looksAgain();

            assertAccepted(lone.certificate());
        }

        @Test
        void issuedByTrustedLeaf_isUntrusted() {
            Party lone = self("CN=lone", ec(), Shape.USUAL);
            trust("lone", lone);

            assertThat(reason(issue("CN=x", lone, Shape.USUAL).certificate())).isEqualTo(Reason.UNTRUSTED);
        }

        @Test
        void moreIntermediatesThanTheRootAllows_isUntrusted() {
            Identity own = home.identityStore()
                    .createAuthority(
                            new IdentityRequest("own", "CN=own", KeyAlgorithm.EC_P256, null),
                            Password.takeOwnershipOf("secret".toCharArray()));
            var pair = new KeyPair(own.certificate().getPublicKey(), SoftwareKey.exported(own));
            Shape shape = Shape.AUTHORITY.during(Instant.now(), Instant.now().plus(Duration.ofDays(1)));
            Party middle = issue("CN=m", new Party("CN=own", pair, own.certificate()), shape);
            Party leaf = issue("CN=leaf", middle, Shape.USUAL.during(shape.start(), shape.end()));
            write(home.recipients(), "m.pem", middle.certificate());

            assertThat(reasonAt(leaf.certificate(), shape.start().plusSeconds(60)))
                    .isEqualTo(Reason.UNTRUSTED);
        }

        @Test
        void issuerWithSameNameAndOtherKey_isUntrusted() {
            X509Certificate forged =
                    certificate("CN=alice,O=Example", ec().getPublic(), new Issuer(ROOT.dn(), ec()), Shape.USUAL);

            assertThat(reason(forged)).isEqualTo(Reason.UNTRUSTED);
        }

        @Test
        void noTrustAtAll_isUntrusted() {
            HomeReader empty = new HomeReader(new Home(folder.resolve("nowhere")), nanoTime::get);

            var rejected = catchThrowableOfType(
                    CertificateRejectedException.class,
                    () -> empty.check(ALICE.certificate(), List.of(), CertificateUse.SIGNING, NOW));

            assertThat(rejected.reason()).isEqualTo(Reason.UNTRUSTED);
        }

        @Test
        void intermediateSignedWithSha1_isUntrusted() {
            Party weak = issue("CN=Weak", ROOT, Shape.AUTHORITY.signature("SHA1withECDSA"));
            Party carol = issue("CN=carol", weak, Shape.USUAL);
            write(home.recipients(), "weak.pem", weak.certificate());

            assertThat(rejected(carol.certificate()))
                    .hasMessageContaining("CN=Weak")
                    .hasMessageContaining("SHA1withECDSA");
        }

        @Test
        void expiredIntermediate_isSaid() {
            Party old = issue("CN=Old", ROOT, Shape.AUTHORITY.during(START, NOW.minusSeconds(1)));
            Party carol = issue("CN=carol", old, Shape.USUAL);
            write(home.recipients(), "old.pem", old.certificate());

            assertThat(reason(carol.certificate())).isEqualTo(Reason.EXPIRED);
            assertThat(rejected(carol.certificate())).hasMessageContaining("CN=Old");
        }

        @Test
        void expiredRoot_isSaid() {
            Party old = self("CN=Old Root", ec(), Shape.AUTHORITY.during(START, NOW.minusSeconds(1)));
            trust("old", old);

            assertThat(reason(issue("CN=carol", old, Shape.USUAL).certificate()))
                    .isEqualTo(Reason.EXPIRED);
        }
    }

    @Nested
    final class OwnRules {
        @Test
        void expired_isRejected() {
            assertThat(reasonAt(ALICE.certificate(), END.plusSeconds(1))).isEqualTo(Reason.EXPIRED);
            assertThat(reasonAt(ROOT.certificate(), END.plusSeconds(1))).isEqualTo(Reason.EXPIRED);
        }

        @Test
        void notYetValid_isRejected() {
            assertThat(reasonAt(ALICE.certificate(), START.minusSeconds(1))).isEqualTo(Reason.NOT_YET_VALID);
        }

        @Test
        void acceptedOnce_isStillRejectedAfterItsEnd() {
            assertThatCode(() -> trust.check(ALICE.certificate(), List.of(), CertificateUse.SIGNING, END))
                    .doesNotThrowAnyException();

            assertThat(reasonAt(ALICE.certificate(), END.plusSeconds(1))).isEqualTo(Reason.EXPIRED);
        }

        @Test
        void usageToReceiveAlone_doesNotSign() {
            Party carol = issue("CN=carol", ROOT, Shape.USUAL.usage(KeyUsage.keyAgreement));

            assertThat(reason(carol.certificate())).isEqualTo(Reason.WRONG_KEY_USAGE);
            trust.check(carol.certificate(), List.of(), CertificateUse.RECEIVING, NOW);
        }

        @Test
        void usageToSignAlone_doesNotReceive() {
            Party carol = issue("CN=carol", ROOT, Shape.USUAL.usage(KeyUsage.digitalSignature));

            assertThat(receiving(carol.certificate())).isEqualTo(Reason.WRONG_KEY_USAGE);
            assertAccepted(carol.certificate());
        }

        @Test
        void rsa_receivesWithKeyEnciphermentOnly() throws Exception {
            X509Certificate agreeing =
                    certificate("CN=r", rsa(2048).getPublic(), ROOT.issuer(), Shape.USUAL.usage(LEAF));
            X509Certificate encrypting = certificate(
                    "CN=r", rsa(2048).getPublic(), ROOT.issuer(), Shape.USUAL.usage(KeyUsage.keyEncipherment));

            assertThat(receiving(agreeing)).isEqualTo(Reason.WRONG_KEY_USAGE);
            trust.check(encrypting, List.of(), CertificateUse.RECEIVING, NOW);
        }

        @Test
        void shortRsaKey_isRejected() throws Exception {
            X509Certificate weak = certificate("CN=r", rsa(1024).getPublic(), ROOT.issuer(), Shape.USUAL);

            assertThat(reason(weak)).isEqualTo(Reason.UNSUPPORTED_KEY);
            assertThat(rejected(weak)).hasMessageContaining("1024 bits");
        }

        @Test
        void otherCurve_isRejected() throws Exception {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", new BouncyCastleProvider());
            generator.initialize(new ECGenParameterSpec("secp256k1"));
            X509Certificate other =
                    certificate("CN=k", generator.generateKeyPair().getPublic(), ROOT.issuer(), Shape.USUAL);

            assertThat(reason(other)).isEqualTo(Reason.UNSUPPORTED_KEY);
        }

        @Test
        void ed25519_signsButDoesNotReceive() throws Exception {
            X509Certificate signer = certificate(
                    "CN=e",
                    KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPublic(),
                    ROOT.issuer(),
                    Shape.USUAL);

            assertAccepted(signer);
            assertThat(receiving(signer)).isEqualTo(Reason.UNSUPPORTED_KEY);
        }
    }

    @Nested
    final class Revocation {
        @Test
        void version_changesASecondAfterTheLastLook_howeverOftenItWasAskedFor() {
            long before = trust.version();
            assertThat(trust.version()).isEqualTo(before);
            nanoTime.addAndGet(Duration.ofMillis(600).toNanos());
            assertThat(trust.version()).isEqualTo(before);
            write(home.crl(), "root.pem", crl(ROOT, END, ALICE.certificate()));

            nanoTime.addAndGet(Duration.ofMillis(400).toNanos());

            assertThat(trust.version()).isGreaterThan(before);
        }

        @Test
        void listed_isRevokedFromTheNextLookOn() {
            assertAccepted(ALICE.certificate());
            long before = trust.version();
            write(home.crl(), "root.pem", crl(ROOT, END, ALICE.certificate()));

            assertAccepted(ALICE.certificate());
            looksAgain();

            assertThat(reason(ALICE.certificate())).isEqualTo(Reason.REVOKED);
            assertThat(trust.version()).isGreaterThan(before);
        }

        @Test
        void listed_isRevokedAtOnce_whenTheFilesAreReadAhead() {
            assertAccepted(ALICE.certificate());
            write(home.crl(), "root.pem", crl(ROOT, END, ALICE.certificate()));

            trust.read();

            assertThat(reason(ALICE.certificate())).isEqualTo(Reason.REVOKED);
        }

        @Test
        void derList_isRead() throws Exception {
            Files.createDirectories(home.crl());
            Files.write(
                    home.crl().resolve("root.crl"),
                    crl(ROOT, END, ALICE.certificate()).getEncoded());

            assertThat(reason(ALICE.certificate())).isEqualTo(Reason.REVOKED);
        }

        @Test
        void notListed_isAccepted() {
            write(home.crl(), "root.pem", crl(ROOT, END, MIDDLE.certificate()));

            assertAccepted(ALICE.certificate());
        }

        @Test
        void listedIntermediate_revokesWhatItIssued() {
            write(home.recipients(), "middle.pem", MIDDLE.certificate());
            write(home.crl(), "root.pem", crl(ROOT, END, MIDDLE.certificate()));

            assertThat(reason(BOB.certificate())).isEqualTo(Reason.REVOKED);
        }

        @Test
        void outdatedList_stillRevokes() {
            write(home.crl(), "root.pem", crl(ROOT, NOW.minusSeconds(1), ALICE.certificate()));

            assertThat(reason(ALICE.certificate())).isEqualTo(Reason.REVOKED);
        }

        @Test
        void listSignedBySomebodyElse_revokesNothing() {
            write(home.crl(), "root.pem", crl(new Issuer(ROOT.dn(), ec()), END, ALICE.certificate()));

            assertAccepted(ALICE.certificate());
        }

        @Test
        void selfSigned_isRevokedByItsOwnList() {
            Party own = self("CN=own", ec(), Shape.USUAL.usage(LEAF | CA));
            trust("own", own);
            write(home.crl(), "own.pem", crl(own, END, own.certificate()));

            assertThat(reason(own.certificate())).isEqualTo(Reason.REVOKED);
        }

        @Test
        void directlyTrustedLeaf_isRevokedByItsIssuersList() {
            trust("alice", ALICE);
            write(home.crl(), "root.pem", crl(ROOT, END, ALICE.certificate()));

            assertThat(reason(ALICE.certificate())).isEqualTo(Reason.REVOKED);
        }

        @Test
        void unreadableList_rejectsEverything() {
            write(home.crl(), "root.pem", "not a list");

            assertThat(rejected(ALICE.certificate())).hasMessageContaining("cannot be read");
        }
    }

    private Reason reasonAt(X509Certificate certificate, Instant at) {
        return rejected(certificate, List.of(), CertificateUse.SIGNING, at).reason();
    }
}
