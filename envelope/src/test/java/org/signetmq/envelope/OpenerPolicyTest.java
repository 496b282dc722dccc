/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Openssl;

/** Checks the messages that an opener accepts, and the type of each rejection. */
final class OpenerPolicyTest {
    private static final byte[] PAYLOAD = "transfer 100 to alice".getBytes(UTF_8);
    private static final ClearMessage MESSAGE = Parties.text(PAYLOAD);

    @RegisterExtension
    static Parties parties = new Parties();

    private static Identity alice = parties.identity("alice");
    private static Identity bob = parties.identity("bob");
    private static Identity rsa = parties.identity("rsa", KeyAlgorithm.RSA_2048);

    private static Policy policy(QualityOfProtection quality) {
        return Parties.policy(quality, "bob");
    }

    private static byte[] sealed(QualityOfProtection quality) {
        return sealed(policy(quality), alice);
    }

    private static byte[] sealed(Policy policy, Identity signer) {
        return parties.seal(MESSAGE, policy, signer);
    }

    private static Opener opener(Policy... policies) {
        return parties.opener(List.of(bob), Parties.policies(policies));
    }

    private static Policy signing(SignatureAlgorithm algorithm, List<String> signers, CertificateInclusion inclusion) {
        return Policy.integrity(Parties.ADDRESS).with(new Policy.Signing(algorithm, signers, inclusion));
    }

    @ParameterizedTest
    @EnumSource(names = {"PRIVACY", "CONFIDENTIALITY"})
    void encryptedForOthers_notARecipient(QualityOfProtection quality) {
        Opener opener = parties.opener(List.of(alice, rsa), Parties.policies(policy(quality)));

        Parties.assertRejected(NotARecipientException.class, opener, sealed(quality), "alice");
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY", "CONFIDENTIALITY"})
    void movedToAnotherAddress_rejected(QualityOfProtection quality) {
        Opener opener = opener();

        assertThatThrownBy(() -> opener.open(sealed(quality), "orders.us"))
                .isInstanceOf(AddressMismatchException.class)
                .hasMessageContaining("orders.eu")
                .hasMessageContaining("orders.us");
        assertThatThrownBy(() -> Parties.entity(opener, sealed(quality), "orders.us"))
                .isInstanceOf(AddressMismatchException.class);
    }

    @ParameterizedTest
    @CsvSource({"2000-01-01T00:00:00Z, NOT_YET_VALID", "2100-01-01T00:00:00Z, EXPIRED"})
    void signerOutOfDate_rejected(Instant now, CertificateRejectedException.Reason reason) {
        for (QualityOfProtection quality : List.of(QualityOfProtection.INTEGRITY, QualityOfProtection.PRIVACY)) {
            PolicySet policies = Parties.policies(policy(quality));
            byte[] envelope = sealed(quality);
            try (Opener opener = opener(policies, now)) {
                assertThatThrownBy(() -> opener.open(envelope, Parties.ADDRESS))
                        .isInstanceOfSatisfying(
                                SignerRejectedException.class,
                                rejected -> assertThat(rejected.reason()).isEqualTo(reason));
            }
        }
    }

    private static Opener opener(PolicySet policies, Instant now) {
        return Opener.create(parties.keys(List.of(bob)), () -> policies, Clock.fixed(now, ZoneOffset.UTC));
    }

    @Test
    void signerRevoked_rejected() throws Exception {
        try (Parties mine = new Parties()) {
            Identity signer = mine.identity("signer");
            PolicySet policies = Parties.policies(Policy.integrity(Parties.ADDRESS));
            byte[] envelope = mine.seal(MESSAGE, policies, signer);
            assertThat(mine.opener(List.of(), policies)
                            .open(envelope, Parties.ADDRESS)
                            .payload())
                    .isEqualTo(PAYLOAD);

            Files.createDirectories(mine.home.crl());
            Files.write(mine.home.crl().resolve("list.crl"), revocationListOfItself(signer));

            assertThatThrownBy(() -> mine.opener(List.of(), policies).open(envelope, Parties.ADDRESS))
                    .isInstanceOfSatisfying(
                            SignerRejectedException.class,
                            rejected -> assertThat(rejected.reason())
                                    .isEqualTo(CertificateRejectedException.Reason.REVOKED));
        }
    }

    /** The broker must not seal again what a revoked signer sealed. What is stored already is judged as before. */
    @Test
    void signerRevoked_brokerThatTakesTheEnvelopeOfAClient_throwsTheReason() throws Exception {
        try (Parties mine = new Parties()) {
            Identity signer = mine.identity("signer");
            PolicySet policies = Parties.policies(Policy.integrity("#"));
            byte[] envelope = mine.seal(MESSAGE, policies, signer);
            Files.createDirectories(mine.home.crl());
            Files.write(mine.home.crl().resolve("list.crl"), revocationListOfItself(signer));
            EnvelopeCheck check = mine.check();
            EffectivePolicy policy = policies.find(Parties.ADDRESS).orElseThrow();
            SenderRule client = (sender, certificate) -> true;
            byte[] changed = envelope.clone();
            changed[changed.length - 10] ^= 1;

            assertThatThrownBy(() -> check.require(envelope, Parties.ADDRESS, policy, client))
                    .isInstanceOf(SignerRejectedException.class)
                    .hasMessageContaining("revoked on");
            assertThat(check.satisfies(envelope, Parties.ADDRESS, policy, SenderRule.ANY))
                    .isFalse();
            assertThat(check.satisfies(envelope, "elsewhere", policy, client)).isFalse();
            assertThat(check.satisfies(changed, Parties.ADDRESS, policy, client))
                    .isFalse();
        }
    }

    static byte[] revocationListOfItself(Identity identity) throws Exception {
        X509v2CRLBuilder list = new X509v2CRLBuilder(
                X500Name.getInstance(
                        identity.certificate().getSubjectX500Principal().getEncoded()),
                Date.from(Instant.parse("2026-01-01T00:00:00Z")));
        list.addCRLEntry(
                identity.certificate().getSerialNumber(),
                Date.from(Instant.parse("2026-01-01T00:00:00Z")),
                CRLReason.keyCompromise);
        return list.build(new JcaContentSignerBuilder("SHA256withECDSA").build(SoftwareKey.exported(identity)))
                .getEncoded();
    }

    @ParameterizedTest
    @EnumSource(CertificateInclusion.class)
    void signerUnknown_rejected(CertificateInclusion inclusion) {
        try (Parties strangers = new Parties()) {
            Identity mallory = strangers.identity("mallory");
            PolicySet policies = Parties.policies(signing(SignatureAlgorithm.SHA_512, List.of(), inclusion));
            byte[] envelope = strangers.seal(MESSAGE, policies, mallory);

            assertThatThrownBy(() -> parties.opener(List.of(), policies).open(envelope, Parties.ADDRESS))
                    .isInstanceOfSatisfying(
                            SignerRejectedException.class,
                            rejected -> assertThat(rejected.reason())
                                    .isEqualTo(CertificateRejectedException.Reason.UNTRUSTED));
            assertThatThrownBy(() -> parties.opener(List.of(), PolicySet.EMPTY).open(envelope, Parties.ADDRESS))
                    .as("where no policy asks for signatures, a bad one is bad all the same")
                    .isInstanceOf(SignerRejectedException.class);
        }
    }

    @Test
    void signerOfAnotherWithTheSameName_rejected() {
        try (Parties strangers = new Parties()) {
            Identity forged = strangers.identity("alice");
            PolicySet policies = Parties.policies(
                    signing(SignatureAlgorithm.SHA_512, List.of("alice"), CertificateInclusion.INCLUDED));
            byte[] envelope = strangers.seal(MESSAGE, policies, forged);

            Parties.assertRejected(SignerRejectedException.class, parties.opener(List.of(), policies), envelope);
        }
    }

    @Test
    void certificateReferencedAndKnown_opened() {
        Policy policy = signing(SignatureAlgorithm.SHA_512, List.of("alice"), CertificateInclusion.REFERENCED);

        OpenedMessage opened = opener(policy).open(sealed(policy, alice), Parties.ADDRESS);

        assertThat(opened.signerCertificate()).isEqualTo(alice.certificate());
        assertThat(opened.signer()).contains("CN=alice,O=Example");
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY"})
    void signerNotOnTheList_rejected(QualityOfProtection quality) {
        Policy strict = policy(quality)
                .with(new Policy.Signing(
                        SignatureAlgorithm.SHA_512, List.of("bob", "rsa"), CertificateInclusion.INCLUDED));

        Parties.assertRejected(SignerNotAuthorizedException.class, opener(strict), sealed(quality), "CN=alice");
    }

    @ParameterizedTest
    @CsvSource({"alice", "'CN=alice,O=Example'", "'cn=alice , o=Example'", "ski"})
    void signerOnTheList_openedHoweverNamed(String selector) {
        String named = selector.equals("ski") ? "ski:" + alice.keyIdentifier() : selector;
        Policy policy = signing(SignatureAlgorithm.SHA_512, List.of(named), CertificateInclusion.INCLUDED);
        byte[] envelope = sealed(QualityOfProtection.INTEGRITY);

        assertThat(opener(policy).open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
    }

    @ParameterizedTest
    @CsvSource({
        "INTEGRITY, PRIVACY",
        "CONFIDENTIALITY, PRIVACY",
        "INTEGRITY, CONFIDENTIALITY",
        "CONFIDENTIALITY, INTEGRITY"
    })
    void qualityBelowThePolicys_rejected(QualityOfProtection found, QualityOfProtection wanted) {
        Parties.assertRejected(
                PolicyViolationException.class, opener(policy(wanted)), sealed(found), found.label(), wanted.label());
    }

    @ParameterizedTest
    @EnumSource(QualityOfProtection.class)
    void privacy_isEnoughEverywhere(QualityOfProtection wanted) {
        OpenedMessage opened = opener(policy(wanted)).open(sealed(QualityOfProtection.PRIVACY), Parties.ADDRESS);

        assertThat(opened.quality()).isEqualTo(QualityOfProtection.PRIVACY);
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY", "CONFIDENTIALITY"})
    void anyQuality_opensWhereNoneIsWanted(QualityOfProtection found) {
        assertThat(opener(policy(QualityOfProtection.NONE))
                        .open(sealed(found), Parties.ADDRESS)
                        .quality())
                .isEqualTo(found);
        assertThat(opener().open(sealed(found), Parties.ADDRESS).quality()).isEqualTo(found);
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY", "CONFIDENTIALITY"})
    void clearWhereProtectionIsWanted_rejected(QualityOfProtection wanted) {
        assertThatThrownBy(() -> opener(policy(wanted)).open(PAYLOAD, Parties.ADDRESS))
                .isInstanceOf(UnprotectedMessageException.class)
                .hasMessageContaining(wanted.label())
                .hasMessageNotContaining("transfer");
        Parties.assertRejected(UnprotectedMessageException.class, opener(policy(wanted)), new byte[0]);
    }

    @Test
    void clearWhereTolerated_opensUntilTheDate() {
        Instant until = Instant.parse("2027-01-01T00:00:00Z");
        PolicySet policies = Parties.policies(policy(QualityOfProtection.PRIVACY)
                .with(new Policy.Acceptance(new Toleration(until), SealingPlace.EITHER)));

        try (Opener before = opener(policies, until.minusNanos(1));
                Opener after = opener(policies, until)) {
            OpenedMessage opened = before.open(PAYLOAD, Parties.ADDRESS);
            assertThat(opened.quality()).isEqualTo(QualityOfProtection.NONE);
            assertThat(opened.payload()).isEqualTo(PAYLOAD);
            assertThat(opened.entityIfProtected()).isEmpty();
            assertThat(opened.signer()).isEmpty();
            Parties.assertRejected(UnprotectedMessageException.class, after, PAYLOAD);
        }
    }

    @Test
    void clearWhereNoPolicyIs_opensUnlessTheSetRejects() {
        PolicySet reject = PolicySet.of(1, UnmatchedAddress.REJECT, List.of());

        assertThat(opener().open(PAYLOAD, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
        assertThat(opener(policy(QualityOfProtection.NONE))
                        .open(PAYLOAD, Parties.ADDRESS)
                        .quality())
                .isEqualTo(QualityOfProtection.NONE);
        Parties.assertRejected(UnprotectedMessageException.class, parties.opener(List.of(), reject), PAYLOAD);
        assertThatThrownBy(() -> Parties.entity(opener(), PAYLOAD, Parties.ADDRESS))
                .isInstanceOf(UnprotectedMessageException.class);
    }

    @Test
    void signedWithSha256_opensWithoutAPolicyAlone(@TempDir Path work) throws Exception {
        Openssl openssl = new Openssl(work);
        ExportedIdentity.write(alice, openssl);
        openssl.write("entity", entityOf(sealed(QualityOfProtection.INTEGRITY)));
        openssl.line("cms -sign -binary -nodetach -md sha256 -in entity -signer alice.pem -inkey alice.key"
                + " -outform DER -out signed.der");
        byte[] envelope = openssl.read("signed.der");

        assertThat(opener().open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
        Parties.assertRejected(
                PolicyViolationException.class, opener(policy(QualityOfProtection.INTEGRITY)), envelope, "SHA-256");
    }

    private static byte[] entityOf(byte[] envelope) {
        return Parties.entity(opener(), envelope, Parties.ADDRESS);
    }

    @Test
    void pkcs1WherePssIsWanted_rejected() {
        Policy pss = signing(SignatureAlgorithm.SHA_512_RSA_PSS, List.of(), CertificateInclusion.INCLUDED);
        Policy plain = signing(SignatureAlgorithm.SHA_512, List.of(), CertificateInclusion.INCLUDED);

        Parties.assertRejected(PolicyViolationException.class, opener(pss), sealed(plain, rsa), "PSS");
        assertThat(opener(pss).open(sealed(pss, rsa), Parties.ADDRESS).payload())
                .isEqualTo(PAYLOAD);
        assertThat(opener(plain).open(sealed(pss, rsa), Parties.ADDRESS).payload())
                .isEqualTo(PAYLOAD);
        assertThat(opener(pss).open(sealed(plain, alice), Parties.ADDRESS).payload())
                .as("ECDSA has no padding")
                .isEqualTo(PAYLOAD);
    }

    @Test
    void changedCiphertext_isAuthenticationFailed() {
        byte[] envelope = sealed(QualityOfProtection.CONFIDENTIALITY);
        envelope[envelope.length - 30] ^= 1;

        assertThatThrownBy(() -> opener().open(envelope, Parties.ADDRESS))
                .isInstanceOf(AuthenticationFailedException.class)
                .hasNoCause();
    }

    @Test
    void afterClose_illegalState() {
        byte[] envelope = sealed(QualityOfProtection.PRIVACY);
        Opener opener = opener();
        opener.open(envelope, Parties.ADDRESS);

        opener.close();

        Parties.assertRejected(IllegalStateException.class, opener, envelope);
        Parties.assertRejected(IllegalStateException.class, opener, sealed(QualityOfProtection.INTEGRITY));
    }

    @Test
    void keyThatOpensNothing_isForgotten_andOneThatOpenedSomethingIsNot() {
        PolicySet policies = Parties.policies(policy(QualityOfProtection.CONFIDENTIALITY));
        Opener opener = parties.opener(List.of(bob), policies);
        byte[] good =
                parties.sealer().seal(MESSAGE, policies.find(Parties.ADDRESS).orElseThrow(), alice);
        byte[] bad = good.clone();
        bad[bad.length - 1] ^= 1; // of the tag

        Parties.assertRejected(AuthenticationFailedException.class, opener, bad);
        opener.open(good, Parties.ADDRESS);
        assertThat(opener.unwraps()).isEqualTo(2);
        Parties.assertRejected(AuthenticationFailedException.class, opener, bad);
        opener.open(good, Parties.ADDRESS);

        assertThat(opener.unwraps()).isEqualTo(2);
    }
}
