/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.ec;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;
import static org.signetmq.keystore.internal.x509.TestCertificates.rsa;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.asn1.x509.OtherName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.CertificatePaths.VerificationBudget;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** Verifies certificates with a number, names and extensions that an attacker chose. */
final class HostilePathTest extends HomeTest {
    private static final Party ROOT = root("CN=Root,O=Example");

    @BeforeEach
    void trustRoot() {
        trust("root", ROOT);
    }

    @Nested
    final class Explosion {
        @ParameterizedTest
        @ValueSource(ints = {5, 50, 57})
        void manyCertificates_areRejectedBeforeAnySignatureIsVerified(int count) {
            List<X509Certificate> others = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                others.add(authority("CN=I").make().certificate());
            }

            assertThat(reason(leaf("CN=I").certificate(), others)).isEqualTo(Reason.UNTRUSTED);
            assertThat(trust.signatureVerifications()).isZero();
        }

        @Test
        void copies_countOnce() {
            Party middle = authority("CN=M").by(ROOT).make();
            X509Certificate leaf =
                    CertificateForge.of("CN=leaf").by(middle).make().certificate();
            List<X509Certificate> others = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                others.add(middle.certificate());
                others.add(leaf);
            }

            assertAccepted(leaf, others);
            assertThat(trust.signatureVerifications()).isEqualTo(2);
        }

        @Test
        void fourIntermediatesOfOneNameAndOtherKeys_costFewVerifications() {
            List<X509Certificate> others = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                others.add(authority("CN=I").by(authority("CN=I").make()).make().certificate());
            }

            assertThat(reason(leaf("CN=I").certificate(), others)).isEqualTo(Reason.UNTRUSTED);
            assertThat(trust.signatureVerifications()).isBetween(1L, (long) VerificationBudget.LIMIT);
        }

        @Test
        void fiftyOfOneNameInTheHome_costFewVerifications() {
            for (int i = 0; i < 50; i++) {
                write(home.trust(), "i" + i + ".pem", authority("CN=I").make().certificate());
            }

            assertThat(reason(leaf("CN=I").certificate())).isEqualTo(Reason.UNTRUSTED);
            assertThat(trust.signatureVerifications()).isBetween(1L, (long) VerificationBudget.LIMIT);
        }

        @Test
        void rightIssuerAmongFiftyOfOneName_isFoundByItsIdentifier() {
            Party right = authority("CN=I").identifier(new byte[] {7}).make();
            for (int i = 0; i < 50; i++) {
                write(
                        home.trust(),
                        "i" + i + ".pem",
                        authority("CN=I")
                                .identifier(new byte[] {1, (byte) i})
                                .make()
                                .certificate());
            }
            trust("x", right);
            X509Certificate leaf = CertificateForge.of("CN=leaf")
                    .by(right)
                    .with(
                            Extension.authorityKeyIdentifier,
                            false,
                            new org.bouncycastle.asn1.x509.AuthorityKeyIdentifier(new byte[] {7}))
                    .make()
                    .certificate();

            assertAccepted(leaf);
            assertThat(trust.signatureVerifications()).isEqualTo(2);
        }

        /** The budget has room for the longest path, and for one wrong issuer on the way. */
        @Test
        void longestPathWithAnIssuerOfTheSameName_isAccepted() {
            Party first = authority("CN=1").by(ROOT).make();
            Party second = authority("CN=2").by(first).make();
            Party third = authority("CN=3").by(second).make();
            X509Certificate other = authority("CN=3").make().certificate();
            X509Certificate leaf =
                    CertificateForge.of("CN=leaf").by(third).make().certificate();

            assertAccepted(leaf, List.of(other, third.certificate(), second.certificate(), first.certificate()));

            assertThat(trust.signatureVerifications()).isBetween(4L, (long) VerificationBudget.LIMIT);
        }

        @Test
        void crossSignedLoop_ends() {
            KeyPair a = ec();
            KeyPair b = ec();
            Party signedA = CertificateForge.of("CN=A", a).authority().make();
            Party signedB = CertificateForge.of("CN=B", b).authority().make();
            Party aByB = CertificateForge.of("CN=A", a).authority().by(signedB).make();
            Party bByA = CertificateForge.of("CN=B", b).authority().by(signedA).make();
            X509Certificate leaf =
                    CertificateForge.of("CN=leaf").by(signedA).make().certificate();

            assertThat(reason(leaf, List.of(aByB.certificate(), bByA.certificate())))
                    .isEqualTo(Reason.UNTRUSTED);
            assertThat(trust.signatureVerifications()).isLessThanOrEqualTo(7);
        }

        @Test
        void crossSignedByTheRoot_isFound() {
            KeyPair pair = ec();
            Party stranger = root("CN=Stranger");
            Party other =
                    CertificateForge.of("CN=M", pair).authority().by(stranger).make();
            Party ours = CertificateForge.of("CN=M", pair).authority().by(ROOT).make();
            X509Certificate leaf =
                    CertificateForge.of("CN=leaf").by(ours).make().certificate();
            write(home.recipients(), "m.pem", other.certificate());

            assertAccepted(leaf, ours.certificate());
        }

        @Test
        void fourIssuers_areAcceptedAndFiveAreNot() {
            List<Party> chain = chain(5);
            Party four = CertificateForge.of("CN=four").by(chain.get(2)).make();
            Party five = CertificateForge.of("CN=five").by(chain.get(3)).make();

            assertAccepted(four.certificate(), certificates(chain.subList(0, 3)));
            assertThat(trust.signatureVerifications()).isEqualTo(4);
            assertThat(reason(five.certificate(), certificates(chain.subList(0, 4))))
                    .isEqualTo(Reason.UNTRUSTED);
        }

        @Test
        void rejectedOnce_costsNothingTheNextTime() {
            List<X509Certificate> others = List.of(
                    authority("CN=I").make().certificate(),
                    authority("CN=I").make().certificate());
            X509Certificate leaf = leaf("CN=I").certificate();
            assertThat(reason(leaf, others)).isEqualTo(Reason.UNTRUSTED);
            long before = trust.signatureVerifications();

            assertThat(reason(leaf, others)).isEqualTo(Reason.UNTRUSTED);
            assertThat(trust.signatureVerifications()).isEqualTo(before).isPositive();
        }

        @Test
        void rejectedWithoutItsChain_isAcceptedWithIt() {
            Party middle = authority("CN=M").by(ROOT).make();
            X509Certificate leaf =
                    CertificateForge.of("CN=leaf").by(middle).make().certificate();
            Party decoy = authority("CN=M").by(ROOT).make();
            assertThat(reason(leaf, decoy.certificate())).isEqualTo(Reason.UNTRUSTED);

            assertAccepted(leaf, middle.certificate());
        }

        @Test
        void rsaKeyWithLongExponent_isRejectedBeforeItIsUsed() throws Exception {
            KeyPair pair = rsa(2048);
            BigInteger modulus = ((RSAPublicKey) pair.getPublic()).getModulus();
            BigInteger exponent = modulus.subtract(BigInteger.TWO);
            var slow = KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, exponent));
            X509Certificate leaf = CertificateForge.of(
                            "CN=slow", new KeyPair(slow, ROOT.pair().getPrivate()))
                    .by(ROOT)
                    .make()
                    .certificate();

            assertThat(reason(leaf)).isEqualTo(Reason.UNSUPPORTED_KEY);
            assertThat(trust.signatureVerifications()).isZero();
        }

        private List<Party> chain(int length) {
            List<Party> chain = new ArrayList<>();
            Party issuer = ROOT;
            for (int i = 0; i < length; i++) {
                issuer = authority("CN=M" + i).by(issuer).make();
                chain.add(issuer);
            }
            return chain;
        }
    }

    @Nested
    final class Constraints {
        @Test
        void namesOutsideTheRoots_areRejectedAtOnceAndBelow() {
            Party constrained = constrainedRoot(permitted("O=Partner"));
            Party middle = authority("CN=M,O=Partner").by(constrained).make();

            assertThat(reason(issued("CN=broker,O=Example", constrained))).isEqualTo(Reason.UNTRUSTED);
            assertThat(reason(issued("CN=broker,O=Example", middle), middle.certificate()))
                    .isEqualTo(Reason.UNTRUSTED);
            assertAccepted(issued("CN=carol,O=Partner", constrained));
            assertAccepted(issued("CN=carol,O=Partner", middle), middle.certificate());
        }

        @Test
        void excludedNames_areRejectedInAnyEncoding() {
            Party constrained = constrainedRoot(new NameConstraints(null, new GeneralSubtree[] {subtree("O=Example")}));
            var builder = new org.bouncycastle.asn1.x500.X500NameBuilder();
            builder.addRDN(org.bouncycastle.asn1.x500.style.BCStyle.O, new DERUTF8String("eXample "));
            builder.addRDN(org.bouncycastle.asn1.x500.style.BCStyle.CN, new DERUTF8String("broker"));
            X509Certificate other = CertificateForge.of(builder.build(), ec())
                    .by(constrained)
                    .make()
                    .certificate();

            assertThat(reason(other)).isEqualTo(Reason.UNTRUSTED);
        }

        @Test
        void alternativeNamesOutside_areRejected() {
            Party constrained = constrainedRoot(new NameConstraints(
                    new GeneralSubtree[] {new GeneralSubtree(new GeneralName(GeneralName.rfc822Name, "partner.example"))
                    },
                    null));
            var name = new GeneralNames(new GeneralName(GeneralName.rfc822Name, "ceo@example.org"));
            X509Certificate other = CertificateForge.of("CN=carol")
                    .by(constrained)
                    .with(Extension.subjectAlternativeName, false, name)
                    .make()
                    .certificate();

            assertThat(reason(other)).isEqualTo(Reason.UNTRUSTED);
        }

        @Test
        void kindsThatCannotBeCompared_rejectEverything() {
            var otherName = new GeneralName(
                    GeneralName.otherName,
                    new OtherName(new ASN1ObjectIdentifier("1.3.6.1.4.1.311.20.2.3"), DERNull.INSTANCE));
            var registered = new GeneralName(GeneralName.registeredID, "1.2.3");
            for (GeneralName base : List.of(otherName, registered)) {
                Party constrained =
                        constrainedRoot(new NameConstraints(new GeneralSubtree[] {new GeneralSubtree(base)}, null));

                assertThat(reason(issued("CN=carol", constrained))).isEqualTo(Reason.UNTRUSTED);
            }
        }

        @Test
        void malformedConstraints_rejectEverything() {
            Party constrained = CertificateForge.of("CN=Constrained")
                    .authority()
                    .with(Extension.nameConstraints, new byte[] {5, 0})
                    .make();
            trust("constrained", constrained);

            assertThat(reason(issued("CN=carol", constrained))).isEqualTo(Reason.UNTRUSTED);
        }

        private Party constrainedRoot(NameConstraints constraints) {
            Party constrained = CertificateForge.of("CN=Constrained")
                    .authority()
                    .with(Extension.nameConstraints, true, constraints)
                    .make();
            trust("constrained", constrained);
            looksAgain();
            return constrained;
        }

        private NameConstraints permitted(String dn) {
            return new NameConstraints(new GeneralSubtree[] {subtree(dn)}, null);
        }

        private GeneralSubtree subtree(String dn) {
            return new GeneralSubtree(new GeneralName(DistinguishedName.encode(dn)));
        }

        private X509Certificate issued(String dn, Party issuer) {
            return CertificateForge.of(dn).by(issuer).make().certificate();
        }
    }

    @Nested
    final class Purposes {
        @Test
        void tlsServer_neitherSignsNorReceives() {
            X509Certificate server = with(KeyPurposeId.id_kp_serverAuth);

            assertThat(reason(server)).isEqualTo(Reason.WRONG_KEY_USAGE);
            assertThat(receiving(server)).isEqualTo(Reason.WRONG_KEY_USAGE);
        }

        @Test
        void pinnedTlsServer_doesNotSign() {
            Party server = CertificateForge.of("CN=server")
                    .with(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                    .make();
            trust("server", server);

            assertThat(reason(server.certificate())).isEqualTo(Reason.WRONG_KEY_USAGE);
        }

        @Test
        void mailAndAnyPurpose_sign() {
            assertAccepted(with(KeyPurposeId.id_kp_emailProtection));
            assertAccepted(with(KeyPurposeId.anyExtendedKeyUsage));
            assertAccepted(with(KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_emailProtection));
        }

        @Test
        void issuersForServersAlone_doNotVouch() {
            Party middle = authority("CN=TLS")
                    .by(ROOT)
                    .with(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                    .make();
            X509Certificate leaf = CertificateForge.of("CN=x").by(middle).make().certificate();

            assertThat(reason(leaf, middle.certificate())).isEqualTo(Reason.WRONG_KEY_USAGE);
            assertThat(reason(leafOfTlsRoot())).isEqualTo(Reason.WRONG_KEY_USAGE);
        }

        @Test
        void malformedPurposes_areRejected() {
            X509Certificate empty = CertificateForge.of("CN=x")
                    .by(ROOT)
                    .with(Extension.extendedKeyUsage, false, new DERSequence())
                    .make()
                    .certificate();

            assertThat(reason(empty)).isEqualTo(Reason.WRONG_KEY_USAGE);
        }

        @Test
        void unknownCriticalExtension_isRejected() {
            Party strange = CertificateForge.of("CN=strange")
                    .with(new ASN1ObjectIdentifier("1.2.3.4.5"), true, DERNull.INSTANCE)
                    .make();
            trust("strange", strange);

            assertThat(reason(strange.certificate())).isEqualTo(Reason.UNTRUSTED);
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 65, 10_000})
        void identifierOfOddLength_isRejected(int length) {
            X509Certificate odd = CertificateForge.of("CN=x")
                    .by(ROOT)
                    .identifier(new byte[length])
                    .make()
                    .certificate();

            assertThat(reason(odd)).isEqualTo(Reason.UNTRUSTED);
        }

        @ParameterizedTest
        @ValueSource(ints = {-1, 1, 64})
        void identifierOfSensibleLengthOrNone_isAccepted(int length) {
            byte @Nullable [] identifier = length < 0 ? null : new byte[length];

            assertAccepted(
                    CertificateForge.of("CN=x")
                            .by(ROOT)
                            .identifier(identifier)
                            .make()
                            .certificate(),
                    List.of());
        }

        private X509Certificate leafOfTlsRoot() {
            Party tls = authority("CN=TLS Root")
                    .with(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                    .make();
            trust("tls", tls);
            looksAgain();
            return CertificateForge.of("CN=y").by(tls).make().certificate();
        }

        private X509Certificate with(KeyPurposeId... purposes) {
            return CertificateForge.of("CN=x")
                    .by(ROOT)
                    .with(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes))
                    .make()
                    .certificate();
        }
    }

    private static CertificateForge authority(String dn) {
        return CertificateForge.of(dn).authority();
    }

    /** A certificate with this name as its issuer, signed with another key. */
    private static Party leaf(String issuer) {
        return CertificateForge.of("CN=leaf").by(root(issuer)).make();
    }

    private static List<X509Certificate> certificates(List<Party> parties) {
        return parties.stream().map(Party::certificate).toList();
    }
}
