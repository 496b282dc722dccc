/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.ec;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.keystore.trust.TrustedCertificate;

/** Rejects certificates that claim names and key identifiers of other parties. */
final class ForgedNamesTest extends HomeTest {
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final String BROKER_DN = "CN=broker,O=Example";
    private static final Party BROKER = CertificateForge.of(BROKER_DN)
            .usage(KeyUsage.digitalSignature | KeyUsage.keyAgreement)
            .make();
    private static final Party CORP = root("CN=Corp CA,O=Example");

    private SignerMatch match = new SignerMatch(trust, trust);

    @BeforeEach
    void openMatch() {
        match = new SignerMatch(trust, trust);
    }

    @Nested
    final class Names {
        /** The attack of an identity that an earlier version made, and which therefore can issue. */
        @Test
        void issuedByAPartner_doesNotPassForTheBroker() {
            Party mallory = CertificateForge.oldIdentity("CN=mallory,O=Partner");
            pin("broker", BROKER);
            pin("mallory", mallory);

            TrustedCertificate fake = accepted(issued(BROKER_DN, mallory));

            assertThat(fake.shownName()).startsWith("ski:");
            assertNoMatch(fake);
            assertThat(accepted(BROKER.certificate()).shownName()).isEqualTo(BROKER_DN);
            assertThat(match.matches(accepted(BROKER.certificate()), BROKER_DN)).isTrue();
        }

        @Test
        void issuedByAPartnerInTrustAlone_doesNotPassForTheBroker() {
            Party mallory = CertificateForge.oldIdentity("CN=mallory,O=Partner");
            trust("mallory", mallory);

            TrustedCertificate fake = accepted(issued(BROKER_DN, mallory));

            assertThat(fake.shownName()).startsWith("ski:");
            assertNoMatch(fake);
        }

        /** As "openssl req -x509" makes them: CA:TRUE, without key usage and path length. */
        @Test
        void issuedByAPartnerWithACertificateOfOpenssl_doesNotPassForTheBroker() {
            Party mallory =
                    CertificateForge.of("CN=mallory,O=Partner").authority().make();
            pin("mallory", mallory);
            Party middle = CertificateForge.of("CN=Corp CA,O=Example")
                    .authority()
                    .by(mallory)
                    .make();

            TrustedCertificate direct = accepted(issued(BROKER_DN, mallory));
            TrustedCertificate below =
                    trust.verify(issued(BROKER_DN, middle), List.of(middle.certificate()), CertificateUse.SIGNING, NOW);

            assertThat(direct.shownName()).startsWith("ski:");
            assertThat(below.shownName()).startsWith("ski:");
            assertNoMatch(direct);
            assertNoMatch(below);
        }

        @Test
        void partnersOwnKeyUnderAnotherName_keepsThePartnersName() {
            Party mallory = CertificateForge.oldIdentity("CN=mallory,O=Partner");
            pin("mallory", mallory);
            X509Certificate renamed = CertificateForge.of(BROKER_DN, mallory.pair())
                    .by(mallory)
                    .make()
                    .certificate();

            TrustedCertificate signer = accepted(renamed);

            assertThat(signer.shownName()).isEqualTo("CN=mallory,O=Partner");
            assertNoMatch(signer);
            assertThat(match.matches(signer, "mallory")).isTrue();
            assertThat(match.matches(signer, "CN=mallory,O=Partner")).isTrue();
        }

        @Test
        void partnerWithTheNameOfTheBroker_takesItFromBoth() {
            Party mallory = CertificateForge.of("O= EXAMPLE,CN=Broker").make();
            pin("broker", BROKER);
            pin("mallory", mallory);

            assertThat(accepted(mallory.certificate()).shownName()).startsWith("ski:");
            assertThat(match.matches(accepted(mallory.certificate()), BROKER_DN))
                    .isFalse();
            assertThat(match.matches(accepted(BROKER.certificate()), BROKER_DN)).isFalse();
            assertThat(match.matches(accepted(BROKER.certificate()), "broker")).isTrue();
        }

        @ParameterizedTest
        @ValueSource(strings = {"utf8", "printable", "case", "spacing", "order"})
        void knownNameInAnotherForm_isNotLentToAnotherKey(String form) {
            pin("broker", BROKER);
            trust("corp", CORP);
            var name = new X500NameBuilder();
            switch (form) {
                case "utf8" ->
                    name.addRDN(BCStyle.O, new DERUTF8String("Example"))
                            .addRDN(BCStyle.CN, new DERUTF8String("broker"));
                case "printable" ->
                    name.addRDN(BCStyle.O, new DERPrintableString("Example"))
                            .addRDN(BCStyle.CN, new DERPrintableString("broker"));
                case "case" -> name.addRDN(BCStyle.O, "EXAMPLE").addRDN(BCStyle.CN, "Broker");
                case "spacing" ->
                    name.addRDN(BCStyle.O, new DERUTF8String("Example "))
                            .addRDN(BCStyle.CN, new DERUTF8String(" broker"));
                default -> name.addRDN(BCStyle.CN, "broker").addRDN(BCStyle.O, "Example");
            }
            X509Certificate fake =
                    CertificateForge.of(name.build(), ec()).by(CORP).make().certificate();

            assertThat(accepted(fake).shownName()).startsWith("ski:");
            assertThat(match.matches(accepted(fake), BROKER_DN)).isFalse();
        }

        @Test
        void withoutAName_theKeyIsShown() {
            trust("corp", CORP);
            X509Certificate nameless = CertificateForge.of(new X500NameBuilder().build(), ec())
                    .by(CORP)
                    .make()
                    .certificate();

            assertThat(accepted(nameless).shownName()).isEqualTo("ski:" + KeyIdentifier.ofKey(nameless));
        }
    }

    @Nested
    final class Issuers {
        @Test
        void issuersName_isShownAndMatchesWhereThePolicyNamesTheIssuer() {
            trust("corp-ca", CORP);
            TrustedCertificate signer = accepted(issued(BROKER_DN, CORP));

            assertThat(signer.shownName()).isEqualTo(BROKER_DN);
            assertThat(match.matches(signer, BROKER_DN)).isFalse();
            assertThat(match.matches(signer, BROKER_DN + "; issuer=corp-ca")).isTrue();
            assertThat(match.matches(signer, "cn=BROKER, o=example ;issuer = corp-ca"))
                    .isTrue();
            assertThat(match.matches(signer, "O=Example,CN=broker; issuer=corp-ca"))
                    .isFalse();
            assertThat(match.matches(signer, BROKER_DN + "; issuer=Corp-CA")).isFalse();
            assertThat(match.matches(signer, BROKER_DN + "; issuer=")).isFalse();
            assertThat(match.matches(signer, BROKER_DN + "; issuer=corp-ca; issuer=corp-ca"))
                    .isFalse();
            assertThat(match.matches(signer, BROKER_DN + "; ca=corp-ca")).isFalse();
        }

        @Test
        void otherIssuer_doesNotMatch() {
            Party other = root("CN=Corp CA,O=Example");
            trust("corp-ca", CORP);
            trust("other", other);
            TrustedCertificate signer = accepted(issued(BROKER_DN, other));

            assertThat(match.matches(signer, BROKER_DN + "; issuer=corp-ca")).isFalse();
            assertThat(match.matches(signer, BROKER_DN + "; issuer=other")).isTrue();
        }

        @Test
        void issuerBelowTheNamedOne_matches() {
            trust("corp-ca", CORP);
            Party middle = CertificateForge.of("CN=Dept").authority().by(CORP).make();
            TrustedCertificate signer =
                    trust.verify(issued(BROKER_DN, middle), List.of(middle.certificate()), CertificateUse.SIGNING, NOW);

            assertThat(match.matches(signer, BROKER_DN + "; issuer=corp-ca")).isTrue();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "ban\u212a",
                    "bank\u2003",
                    "bank\u001f",
                    "bank\n",
                    " bank",
                    "bank ",
                    "bank\ufe0f",
                    "bank\u2800",
                    "b\u00adank",
                    "bank\u115f",
                    "bank\u3164",
                    "bank\udb40\udd00",
                    "\uff42ank",
                    "bank\u00a0"
                })
        void nameThatLooksLikeTheSelector_doesNotMatch_andIsNotShownRaw(String name) {
            trust("corp-ca", CORP);
            X509Certificate fake = CertificateForge.of(
                            new X500NameBuilder()
                                    .addRDN(BCStyle.O, "Example")
                                    .addRDN(BCStyle.CN, new DERUTF8String(name))
                                    .build(),
                            ec())
                    .by(CORP)
                    .make()
                    .certificate();
            TrustedCertificate signer = accepted(fake);
            write(home.recipients(), "fake.pem", fake);
            looksAgain();
            TrustedCertificate known = accepted(fake);

            for (TrustedCertificate each : List.of(signer, known)) {
                assertThat(match.matches(each, "CN=bank,O=Example; issuer=corp-ca"))
                        .isFalse();
                assertThat(match.matches(each, "CN=bank,O=Example")).isFalse();
                assertThat(match.matches(each, "CN=" + name + ",O=Example; issuer=corp-ca"))
                        .isEqualTo(name.equals("\uff42ank") || name.equals("ban\u212a"));
                assertThat(each.shownName()).matches("[ -~]+");
            }
        }

        @Test
        void acceptedPath_isNotLentToAMessageWithAnother() {
            Party other = root("CN=Other");
            trust("corp-ca", CORP);
            trust("other", other);
            KeyPair pair = ec();
            Party ofCorp =
                    CertificateForge.of("CN=Dept", pair).authority().by(CORP).make();
            Party ofOther =
                    CertificateForge.of("CN=Dept", pair).authority().by(other).make();
            X509Certificate leaf = issued(BROKER_DN, ofCorp);

            for (int i = 0; i < 2; i++) {
                for (Party middle : List.of(ofCorp, ofOther)) {
                    TrustedCertificate signer =
                            trust.verify(leaf, List.of(middle.certificate()), CertificateUse.SIGNING, NOW);
                    assertThat(match.matches(signer, BROKER_DN + "; issuer=corp-ca"))
                            .isEqualTo(middle.equals(ofCorp));
                    assertThat(match.matches(signer, BROKER_DN + "; issuer=other"))
                            .isEqualTo(middle.equals(ofOther));
                }
            }
        }

        /** The way for an older home where --issuer was used. */
        @Test
        void oldIdentityAsIssuer_matchesWhereThePolicySaysSo() {
            Party old = CertificateForge.oldIdentity("CN=root,O=Example");
            pin("root", old);
            TrustedCertificate signer = accepted(issued(BROKER_DN, old));

            assertThat(match.matches(signer, BROKER_DN + "; issuer=root")).isTrue();
            assertThat(match.matches(signer, BROKER_DN)).isFalse();
        }

        @Test
        void issuedByAnOldIdentityAndKnown_keepsItsName() {
            Party old = CertificateForge.oldIdentity("CN=root,O=Example");
            Party alice = CertificateForge.of("CN=alice,O=Example").by(old).make();
            pin("root", old);
            write(home.recipients(), "alice.pem", alice.certificate());

            assertThat(accepted(alice.certificate()).shownName()).isEqualTo("CN=alice,O=Example");
            assertThat(match.matches(accepted(alice.certificate()), "CN=alice,O=Example"))
                    .isTrue();
        }

        @Test
        void renewedKeyUnderOneIssuer_keepsItsNameWhileBothAreKnown() {
            trust("corp-ca", CORP);
            X509Certificate old = issued("CN=bob", CORP);
            X509Certificate renewed = issued("CN=bob", CORP);
            write(home.recipients(), "bob.pem", old);
            write(home.recipients(), "bob-2.pem", renewed);

            assertThat(accepted(renewed).shownName()).isEqualTo("CN=bob");
            assertThat(match.matches(accepted(renewed), "CN=bob")).isTrue();
            assertThat(match.matches(accepted(issued("CN=bob", CORP)), "CN=bob"))
                    .isFalse();
        }

        @Test
        void issuersThatAPolicyCannotMean_areRejected() {
            trust("corp-ca", CORP);
            pin("broker", BROKER);
            var check = new PartyCheck(trust, trust, CLOCK);

            assertThat(check.problemWithSigner("CN=x; issuer=corp-ca")).isEmpty();
            assertThat(check.problemWithSigner("CN=x; issuer=corp-c"))
                    .hasValue("no certificate named 'corp-c' in trust/ (nearest: 'corp-ca')");
            assertThat(check.problemWithSigner("CN=x; issuer=broker")).isPresent();
            assertThat(check.problemWithSigner("CN=x; isuer=corp-ca")).isPresent();
            assertThat(check.problemWithRecipient("CN=broker,O=Example; issuer=corp-ca"))
                    .isPresent();
            assertThat(check.problemWithSigner("CN=unknown"))
                    .hasValueSatisfying(text -> assertThat(text).contains("; issuer=NAME"));
            assertThat(check.problemWithSignerInForce("CN=unknown")).isEmpty();
        }
    }

    @Nested
    final class Identifiers {
        private final byte[] claimed = KeyIdentifier.of(BROKER.certificate()).bytes();
        private final String selector = "ski:" + KeyIdentifier.ofKey(BROKER.certificate());

        @Test
        void claimedIdentifier_doesNotSign() {
            trust("corp", CORP);
            pin("broker", BROKER);
            Party mallory = forged("CN=mallory");
            write(home.recipients(), "mallory.pem", mallory.certificate());

            assertThat(match.matches(accepted(mallory.certificate()), selector)).isFalse();
        }

        @Test
        void claimedIdentifier_isNotChosenToReceive() {
            write(home.recipients(), "broker.pem", BROKER.certificate());
            write(home.recipients(), "mallory.pem", forged("CN=mallory").certificate());

            for (String name : List.of("broker", "mallory", selector, BROKER_DN, "CN=mallory")) {
                assertUnusable(() -> trust.find(name), "'broker' and 'mallory' claim one key identifier");
            }
            assertUnusable(() -> trust.find(KeyIdentifier.of(claimed)));
        }

        @Test
        void claimedIdentifierAlone_findsNobody() {
            write(home.recipients(), "mallory.pem", forged("CN=mallory").certificate());

            assertThat(trust.find(selector)).isEmpty();
            assertThat(new PartyCheck(trust, trust, CLOCK).problemWithRecipient(selector))
                    .hasValueSatisfying(text -> assertThat(text).contains("'mallory' claims it"));
        }

        @Test
        void identifierOfAnotherMethod_worksByWhatIsComputed() {
            KeyPair pair = ec();
            X509Certificate other = CertificateForge.of("CN=corporate", pair)
                    .by(CORP)
                    .identifier(new byte[] {1, 2, 3, 4, 5, 6, 7, 8})
                    .make()
                    .certificate();
            write(home.recipients(), "corporate.pem", other);

            Recipient found = trust.find("ski:" + KeyIdentifier.ofKey(other)).orElseThrow();

            assertThat(found.name()).isEqualTo("corporate");
            assertThat(found.keyIdentifier()).hasToString("0102030405060708");
            assertThat(trust.find("ski:0102030405060708")).isEmpty();
            assertThat(trust.find(found.keyIdentifier())).containsExactly(found);
        }

        @Test
        void nameOfTwoKeys_isRejectedWithBoth() {
            write(home.recipients(), "broker.pem", BROKER.certificate());
            write(home.recipients(), "mallory.pem", issued("O=EXAMPLE, CN=Broker", CORP));

            assertUnusable(
                    () -> trust.find(BROKER_DN),
                    "recipients/: 'broker' and 'mallory' have one distinguished name but different keys; remove the wrong"
                            + " one, or where only the distinguished name is shared use the file's name");
            assertThat(trust.find("broker")).isPresent();
        }

        private Party forged(String dn) {
            return CertificateForge.of(dn).by(CORP).identifier(claimed).make();
        }
    }

    private void assertNoMatch(TrustedCertificate signer) {
        assertThat(List.of(
                        BROKER_DN,
                        "broker",
                        "cn=Broker, o=EXAMPLE",
                        "ski:" + KeyIdentifier.ofKey(BROKER.certificate()),
                        BROKER_DN + "; issuer=broker",
                        BROKER_DN + "; issuer=corp"))
                .noneMatch(selector -> match.matches(signer, selector));
    }

    /** Trusted and known, as an administrator does for a partner. */
    private void pin(String name, Party party) {
        write(home.trust(), name + ".pem", party.certificate());
        write(home.recipients(), name + ".pem", party.certificate());
        looksAgain();
    }

    private static X509Certificate issued(String dn, Party issuer) {
        return CertificateForge.of(dn).by(issuer).make().certificate();
    }
}
