/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.cms.CMSAuthEnvelopedData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;

/** Partners that write messages in the name of the broker, or make themselves recipients in place of others. */
final class ForgedSignerTest {
    private static final String BROKER_DN = "CN=broker,O=Example";
    private static final ClearMessage MESSAGE = Parties.text("transfer 100 to mallory".getBytes(UTF_8));

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path elsewhere;

    private final Parties parties = new Parties();
    private Identity broker = ForgedCertificates.oldIdentity("unset", BROKER_DN);
    private Identity bob = broker;
    private final Identity mallory = ForgedCertificates.oldIdentity("mallory", "CN=mallory,O=Partner");

    @BeforeEach
    void openHome() {
        broker = parties.identity("broker");
        bob = parties.identity("bob");
        ForgedCertificates.pin(parties.home, "mallory", mallory.certificate());
    }

    @AfterEach
    void close() {
        parties.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY"})
    void dnOfTheBrokerIssuedByAPartner_passesNoList(QualityOfProtection quality) {
        Identity forged = ForgedCertificates.issued(BROKER_DN, mallory);
        byte[] envelope = forgedMessage(policy(quality, List.of()), forged);

        for (String selector : List.of(BROKER_DN, "broker", "ski:" + broker.keyIdentifier())) {
            Policy policy = policy(quality, List.of(selector));

            assertThatThrownBy(() -> opener(policy).open(envelope, Parties.ADDRESS))
                    .as(selector)
                    .isInstanceOf(SignerNotAuthorizedException.class)
                    .hasMessageNotContaining("'" + BROKER_DN + "': not");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY"})
    void dnOfTheBrokerIssuedByAPartner_isNotShown(QualityOfProtection quality) {
        Identity forged = ForgedCertificates.issued(BROKER_DN, mallory);
        byte[] envelope = forgedMessage(policy(quality, List.of()), forged);

        OpenedMessage opened = opener(policy(quality, List.of())).open(envelope, Parties.ADDRESS);

        assertThat(opened.signer()).hasValueSatisfying(name -> assertThat(name).startsWith("ski:"));
        assertThat(opened.signerCertificate()).isEqualTo(forged.certificate());
    }

    @Test
    void dnOfTheBrokerIssuedByAPartner_isNotSealedForTheCheckOfTheBroker() {
        Policy policy = policy(QualityOfProtection.INTEGRITY, List.of(BROKER_DN));
        byte[] forged = forgedMessage(
                policy(QualityOfProtection.INTEGRITY, List.of()), ForgedCertificates.issued(BROKER_DN, mallory));
        byte[] genuine = parties.seal(MESSAGE, Parties.policies(policy), broker);

        assertThat(parties.satisfies(forged, policy)).isFalse();
        assertThat(parties.satisfies(genuine, policy)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"secp256r1", "secp384r1", "secp521r1"})
    void identifierOfTheBroker_doesNotSign(String curve) {
        Identity forged = ForgedCertificates.issued(
                "CN=x",
                mallory,
                ForgedCertificates.key(curve),
                broker.keyIdentifier().bytes());
        byte[] envelope = forgedMessage(policy(QualityOfProtection.INTEGRITY, List.of()), forged);
        Policy policy = policy(QualityOfProtection.INTEGRITY, List.of("ski:" + broker.keyIdentifier()));

        Parties.assertRejected(SignerNotAuthorizedException.class, opener(policy), envelope);

        ForgedCertificates.write(parties.home.recipients(), "x", forged.certificate());

        Parties.assertRejected(SignerNotAuthorizedException.class, opener(policy), envelope);
    }

    @Test
    void identifierOfAnotherRecipient_isRejectedWithBothNames() {
        Identity forged = ForgedCertificates.issued(
                "CN=x", mallory, ForgedCertificates.key(), bob.keyIdentifier().bytes());
        ForgedCertificates.write(parties.home.recipients(), "x", forged.certificate());

        for (List<String> recipients :
                List.of(List.of("ski:" + bob.keyIdentifier()), List.of("bob"), List.of("x"), List.of("bob", "x"))) {
            Policy policy = Policy.confidentiality(Parties.ADDRESS, recipients, KeyLimits.DEFAULT);

            assertThatThrownBy(() -> parties.seal(MESSAGE, Parties.policies(policy), broker))
                    .as(recipients.toString())
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessageContaining("'bob' and 'x'");
            assertThat(parties.satisfies(new byte[] {0x30, 0}, policy)).isFalse();
        }
    }

    /** One key under two identifiers is one recipient. */
    @Test
    void oneKeyWithTwoCertificates_isOneRecipient() throws Exception {
        Identity again = ForgedCertificates.issued("CN=bob2", mallory, pair(bob), new byte[] {1, 2, 3});
        ForgedCertificates.write(parties.home.recipients(), "bob2", again.certificate());
        Policy policy = Policy.confidentiality(Parties.ADDRESS, List.of("bob", "bob2"), KeyLimits.DEFAULT);

        byte[] envelope = parties.seal(MESSAGE, Parties.policies(policy), broker);

        assertThat(new CMSAuthEnvelopedData(envelope).getRecipientInfos().size())
                .isEqualTo(1);
        assertThat(parties.satisfies(envelope, policy)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 50, 57})
    void manyCertificates_areRejectedBeforeTheyAreParsed(int count) {
        CertificateTrust trust = parties.home.certificateTrust();
        byte[] envelope =
                parties.seal(MESSAGE, Parties.policies(policy(QualityOfProtection.INTEGRITY, List.of())), broker);
        List<X509Certificate> carried = new ArrayList<>(List.of(broker.certificate()));
        while (carried.size() < count) {
            carried.add(ForgedCertificates.authority("CN=I", null).certificate());
        }

        Parties.assertRejected(
                MalformedEnvelopeException.class,
                opener(parties.home, trust, policy(QualityOfProtection.INTEGRITY, List.of())),
                ForgedCertificates.carrying(envelope, carried));
        assertThat(trust.signatureVerifications()).isZero();
    }

    @Test
    void fourOtherCertificates_costAtMostSevenVerificationsOfTheirs() {
        CertificateTrust trust = parties.home.certificateTrust();
        Identity middle = ForgedCertificates.authority("CN=I", ForgedCertificates.authority("CN=I", null));
        Identity forged = ForgedCertificates.issued("CN=x", middle);
        byte[] envelope = forgedMessage(policy(QualityOfProtection.INTEGRITY, List.of()), forged);
        List<X509Certificate> carried = new ArrayList<>(List.of(forged.certificate(), middle.certificate()));
        while (carried.size() < 5) {
            carried.add(ForgedCertificates.authority("CN=I", middle).certificate());
        }
        byte[] wide = ForgedCertificates.carrying(envelope, carried);
        Opener opener = opener(parties.home, trust, policy(QualityOfProtection.INTEGRITY, List.of()));

        Parties.assertRejected(SignerRejectedException.class, opener, wide);
        long first = trust.signatureVerifications();
        Parties.assertRejected(SignerRejectedException.class, opener, wide);

        assertThat(first).isBetween(1L, 7L);
        assertThat(trust.signatureVerifications()).isEqualTo(first);
    }

    @Test
    void certificatesOfTwoKeysForOneSigner_areRejected() {
        byte[] identifier = broker.keyIdentifier().bytes();
        byte[] envelope =
                parties.seal(MESSAGE, Parties.policies(policy(QualityOfProtection.INTEGRITY, List.of())), broker);
        Identity other = ForgedCertificates.issued("CN=x", mallory, ForgedCertificates.key(), identifier);

        OpenedMessage opened = opener(policy(QualityOfProtection.INTEGRITY, List.of("broker")))
                .open(
                        ForgedCertificates.carrying(envelope, List.of(other.certificate(), broker.certificate())),
                        Parties.ADDRESS);

        assertThat(opened.signerCertificate()).isEqualTo(broker.certificate());
        Parties.assertRejected(
                AuthenticationFailedException.class,
                opener(policy(QualityOfProtection.INTEGRITY, List.of())),
                ForgedCertificates.carrying(envelope, List.of(other.certificate())));
    }

    private static java.security.KeyPair pair(Identity identity) {
        return new java.security.KeyPair(identity.certificate().getPublicKey(), SoftwareKey.exported(identity));
    }

    /** Seals a message with the attacker's installation. */
    private byte[] forgedMessage(Policy policy, Identity forged) {
        Home own = new Home(elsewhere);
        List<X509Certificate> chain = forged.chain();
        ForgedCertificates.write(own.trust(), "root", chain.get(chain.size() - 1));
        for (int i = 1; i < chain.size(); i++) {
            ForgedCertificates.write(own.recipients(), "i" + i, chain.get(i));
        }
        ForgedCertificates.pin(own, "bob", bob.certificate());
        try (Sealer sealer = Sealer.create(own.recipientDirectory(), own.certificateTrust())) {
            return sealer.seal(MESSAGE, new EffectivePolicy(policy, 17), forged);
        }
    }

    private static Policy policy(QualityOfProtection quality, List<String> signers) {
        return Parties.policy(quality, "bob")
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, signers, CertificateInclusion.INCLUDED));
    }

    private Opener opener(Policy policy) {
        return opener(parties.home, parties.home.certificateTrust(), policy);
    }

    private Opener opener(Home home, CertificateTrust trust, Policy policy) {
        PolicySet policies = Parties.policies(policy);
        return Opener.create(new Opener.Keys(List.of(bob), home.recipientDirectory(), trust), () -> policies);
    }
}
