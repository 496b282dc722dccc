/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.envelope.Parties.assertRejected;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.internal.cms.SenderKey;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;

/** The sender that agrees on data keys with its certified key (RFC 6278), and forgers of it. */
final class AuthenticityTest {
    private static final byte[] PAYLOAD = "transfer 100 to alice".getBytes(StandardCharsets.UTF_8);
    private static final int[] AGREEMENT = {1, 0, 1, 0};

    @RegisterExtension
    static Parties parties = new Parties();

    private static Identity alice;
    private static Identity bob;
    private static Identity mallory;

    @BeforeAll
    static void create() {
        alice = parties.identity("alice");
        bob = parties.identity("bob");
        mallory = parties.identity("mallory");
    }

    private static Policy policy(String... recipients) {
        return Parties.policy(QualityOfProtection.AUTHENTICITY, recipients);
    }

    private static Policy from(List<String> signers, String... recipients) {
        return policy(recipients)
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, signers, CertificateInclusion.INCLUDED));
    }

    private static byte[] sealed(Identity sender, Policy policy) {
        return parties.seal(Parties.text(PAYLOAD), policy, sender);
    }

    private static Opener opener(Identity reader, Policy... policies) {
        return parties.opener(List.of(reader), Parties.policies(policies));
    }

    private static void assertFrom(Identity sender, OpenedMessage opened) {
        assertThat(opened.payload()).isEqualTo(PAYLOAD);
        assertThat(opened.quality()).isEqualTo(QualityOfProtection.AUTHENTICITY);
        assertThat(opened.signerCertificate()).isEqualTo(sender.certificate());
        assertThat(opened.signer()).contains("CN=" + sender.name() + ",O=Example");
        assertThat(opened.proof()).contains("agreement");
    }

    @Test
    void eachMessage_underOneDataKey_showsItsSender() {
        Policy policy = policy("bob");
        Sealer sealer = parties.sealer();
        Opener opener = opener(bob, policy);
        for (int i = 0; i < 5; i++) {
            for (Identity sender : List.of(alice, mallory)) {
                byte[] envelope = sealer.seal(Parties.text(PAYLOAD), Parties.effective(policy), sender);
                assertFrom(sender, opener.open(envelope, Parties.ADDRESS));
            }
        }
        assertThat(sealer.begunKeys()).isEqualTo(2);
        assertThat(opener.unwraps()).isEqualTo(2);
    }

    @Test
    void privacy_hasTheProofOfItsSignature() {
        Policy privacy = Parties.policy(QualityOfProtection.PRIVACY, "bob");
        assertThat(opener(bob, privacy)
                        .open(sealed(alice, privacy), Parties.ADDRESS)
                        .proof())
                .contains("signature");
    }

    @Test
    void description_namesTheClaimedSender_andNoOtherQuality() {
        EnvelopeDescription description = EnvelopeDescription.of(sealed(alice, policy("bob")));

        assertThat(description.senderIfClaimed()).contains("ski:" + alice.keyIdentifier());
        assertThat(description.quality()).isEqualTo("authenticity");
        assertThat(description.recipients())
                .extracting(EnvelopeDescription.RecipientDescription::keyEncryption)
                .containsExactly("static ECDH P-256, SHA-256 derivation, AES-256 key wrap");
        assertThat(EnvelopeDescription.of(sealed(alice, Parties.policy(QualityOfProtection.CONFIDENTIALITY, "bob")))
                        .senderIfClaimed())
                .isEmpty();
    }

    @Test
    void withoutAPolicyThatAsksForIt_aKnownSenderIsShown_andAnUnknownOneIsNot() throws IOException {
        try (Parties other = new Parties("bob")) {
            other.home.identityStore();
            byte[] envelope = parties.seal(Parties.text(PAYLOAD), policy("bob"), alice);
            assertFrom(alice, opener(bob).open(envelope, Parties.ADDRESS));
            assertFrom(
                    alice,
                    opener(bob, Parties.policy(QualityOfProtection.CONFIDENTIALITY, "bob"))
                            .open(envelope, Parties.ADDRESS));

            OpenedMessage unknown =
                    other.opener(List.of(bob), Parties.policies()).open(envelope, Parties.ADDRESS);
            assertThat(unknown.payload()).isEqualTo(PAYLOAD);
            assertThat(unknown.quality()).isEqualTo(QualityOfProtection.CONFIDENTIALITY);
            assertThat(unknown.signer()).isEmpty();
            assertThat(unknown.proof()).isEmpty();
            assertRejected(
                    SignerRejectedException.class,
                    other.opener(List.of(bob), Parties.policies(policy("bob"))),
                    envelope,
                    "sender ski:" + alice.keyIdentifier(),
                    "folder recipients");
        }
    }

    @Test
    void envelopeOfAnEphemeralKey_isRejected() {
        byte[] envelope = sealed(alice, Parties.policy(QualityOfProtection.CONFIDENTIALITY, "bob"));

        assertRejected(
                PolicyViolationException.class,
                opener(bob, policy("bob")),
                envelope,
                "quality confidentiality where policy",
                "asks for authenticity");
        assertThat(parties.satisfies(envelope, policy("bob"))).isFalse();
    }

    @Test
    void senderThatIsNotOnTheList_neitherSealsNorIsOpened() {
        Policy listed = from(List.of("alice"), "bob");
        byte[] envelope = sealed(mallory, policy("bob"));
        Opener opener = opener(bob, listed);

        assertThatThrownBy(() -> sealed(mallory, listed)).isInstanceOf(SignerNotAuthorizedException.class);
        assertRejected(SignerNotAuthorizedException.class, opener, envelope, "not on the list");
        assertThat(parties.satisfies(envelope, listed)).isFalse();
        assertFrom(alice, opener.open(sealed(alice, listed), Parties.ADDRESS));
        assertThat(parties.satisfies(sealed(alice, listed), listed)).isTrue();
        assertRejected(SignerNotAuthorizedException.class, opener, envelope);
    }

    /** The secret of two static keys is one in both directions: a message to bob must not come back as bob's. */
    @Test
    void reflectedMessage_isRejected() {
        DerNode envelope = DerNode.parse(sealed(alice, policy("bob")));
        DerNode agreement = envelope.child(AGREEMENT);
        agreement.child(1, 0, 1).setContent(bits(bob));
        agreement.child(4, 0, 0, 0).setContent(alice.keyIdentifier().bytes());
        Policy policy = policy("alice");

        assertRejected(PolicyViolationException.class, opener(alice, policy), envelope.encoded());
        // without a policy the content opens, because alice has the key, and bob is not shown
        assertThat(opener(alice).open(envelope.encoded(), Parties.ADDRESS).signer())
                .isEmpty();

        DerNode material = agreement.child(2, 0);
        material.setContent(SenderKey.of(bob.certificate()).material(material.content()));
        assertRejected(AuthenticationFailedException.class, opener(alice, policy), envelope.encoded());
        assertRejected(AuthenticationFailedException.class, opener(alice), envelope.encoded());
    }

    @Test
    void otherOriginator_orOtherKeyingMaterial_isRejected() {
        byte[] sound = sealed(alice, policy("bob"));
        Opener opener = opener(bob, policy("bob"));
        assertFrom(alice, opener.open(sound, Parties.ADDRESS));
        assertFrom(alice, opener.open(sound, Parties.ADDRESS)); // its keys are cached, and must not help

        DerNode envelope = DerNode.parse(sound);
        DerNode agreement = envelope.child(AGREEMENT);
        DerNode material = agreement.child(2, 0);
        agreement.child(1, 0, 1).setContent(bits(mallory));
        assertRejected(RuntimeException.class, opener, envelope.encoded());
        material.setContent(SenderKey.of(mallory.certificate()).material(material.content()));
        assertRejected(AuthenticationFailedException.class, opener, envelope.encoded());

        agreement.child(1, 0, 1).setContent(bits(alice));
        byte[] other = new byte[32];
        for (byte[] wrong : List.of(
                SenderKey.of(alice.certificate()).material(other), other, Arrays.copyOf(other, 16), new byte[33])) {
            material.setContent(wrong);
            assertRejected(RuntimeException.class, opener, envelope.encoded());
        }
    }

    /** A forger with the data key can add a recipient info of another sender: then no sender is shown. */
    @Test
    void twoRecipientInfos_ofDifferentOriginators_showNoSender() {
        byte[] one = sealed(alice, policy("bob"));
        byte[] other = sealed(mallory, policy("bob"));
        DerNode both = DerNode.parse(one);
        DerNode infos = both.child(1, 0, 1);
        List<DerNode> all = new ArrayList<>(infos.children());
        all.add(DerNode.parse(other).child(AGREEMENT));
        infos.children().clear();
        infos.children().addAll(all);

        assertRejected(PolicyViolationException.class, opener(bob, policy("bob")), both.encoded());
        assertThat(opener(bob).open(both.encoded(), Parties.ADDRESS).signer()).isEmpty();
        assertThat(parties.satisfies(both.encoded(), policy("bob"))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = KeyAlgorithm.class,
            names = {"RSA_2048", "EC_P384", "ED25519"})
    void keyThatIsNotOnTheCurve_isRefusedBeforeSealing(KeyAlgorithm algorithm) {
        Identity other = parties.identity("other-" + algorithm.label(), algorithm);

        assertThatThrownBy(() -> sealed(other, policy("bob")))
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining("EC keys on one curve");
        if (algorithm != KeyAlgorithm.ED25519) {
            assertThatThrownBy(() -> sealed(alice, policy("bob", other.name())))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessageContaining("'" + other.name() + "' with ");
        }
    }

    @Test
    void severalRecipients_needMutualTrust_alsoThoseForRecovery() {
        Policy.Encryption several = policy("bob", "alice").encryption();
        Policy.Encryption untrusting =
                new Policy.Encryption(several.algorithm(), several.recipients(), several.limits());

        assertThatThrownBy(() -> Parties.policies(policy("bob").with(untrusting)))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageContaining("mutual-trust");
        PolicySet.Settings recovering = PolicySet.Settings.DEFAULT.withRecovery(List.of("mallory"));
        assertThatThrownBy(() -> PolicySet.of(1, recovering, List.of(policy("bob"))))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageContaining("for recovery");
        PolicySet set = PolicySet.of(1, recovering, List.of(policy("bob", "alice")));
        byte[] envelope = parties.seal(Parties.text(PAYLOAD), set, alice);
        assertFrom(alice, parties.opener(List.of(mallory), set).open(envelope, Parties.ADDRESS));
    }

    @Test
    void renewedIdentity_agreesOnNewKeys() {
        try (Parties mine = new Parties("alice", "bob")) {
            Policy policy = policy("bob");
            Sealer sealer = mine.sealer();
            Identity before = mine.identity("alice");
            Identity renewed = new Identity("alice", mallory.privateKey(), mallory.chain());
            sealer.seal(Parties.text(PAYLOAD), Parties.effective(policy), before);

            assertThatThrownBy(() -> sealer.seal(Parties.text(PAYLOAD), Parties.effective(policy), renewed))
                    .as("its certificate is not trusted here")
                    .hasMessageContaining("CN=mallory");
            Identity again = new Identity("alice", before.privateKey(), before.chain());
            byte[] envelope = sealer.seal(Parties.text(PAYLOAD), Parties.effective(policy), again);
            assertThat(EnvelopeDescription.of(envelope).senderIfClaimed()).contains("ski:" + before.keyIdentifier());
            assertThat(sealer.begunKeys()).isEqualTo(2);
        }
    }

    @Test
    void senderThatIsNoLongerTrusted_isRejected_alsoUnderACachedKey() throws IOException {
        try (Parties mine = new Parties("alice", "bob")) {
            Policy policy = policy("bob");
            Identity sender = mine.identity("alice");
            byte[] envelope = mine.seal(Parties.text(PAYLOAD), policy, sender);
            Opener opener = mine.opener(List.of(mine.identity("bob")), Parties.policies(policy));
            for (int i = 0; i < 3; i++) {
                assertFrom(sender, opener.open(envelope, Parties.ADDRESS));
            }

            Files.delete(mine.home.trust().resolve("alice.pem"));

            Awaitility.await()
                    .untilAsserted(() -> assertRejected(SignerRejectedException.class, opener, envelope, "CN=alice"));
        }
    }

    @ParameterizedTest
    @CsvSource({"2000-01-01T00:00:00Z, NOT_YET_VALID", "2100-01-01T00:00:00Z, EXPIRED"})
    void senderOutOfDate_isRejected(Instant now, CertificateRejectedException.Reason reason) {
        PolicySet policies = Parties.policies(policy("bob"));
        byte[] envelope = sealed(alice, policy("bob"));

        try (Opener opener =
                Opener.create(parties.keys(List.of(bob)), () -> policies, Clock.fixed(now, ZoneOffset.UTC))) {
            assertSenderRejected(reason, opener, envelope);
        }
    }

    @Test
    void senderWhoseCertificateEnds_isRejected_alsoUnderACachedKey() {
        PolicySet policies = Parties.policies(policy("bob"));
        byte[] envelope = sealed(alice, policy("bob"));
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        InstantSource source = now::get;
        try (Opener opener =
                Opener.create(parties.keys(List.of(bob)), () -> policies, source.withZone(ZoneOffset.UTC))) {
            assertFrom(alice, opener.open(envelope, Parties.ADDRESS));

            now.set(alice.certificate().getNotAfter().toInstant().plusSeconds(1));

            assertSenderRejected(CertificateRejectedException.Reason.EXPIRED, opener, envelope);
        }
    }

    @Test
    void revokedSender_neitherSealsNorIsOpened_alsoUnderACachedKey() throws Exception {
        try (Parties mine = new Parties("alice", "bob")) {
            Policy policy = policy("bob");
            Identity sender = mine.identity("alice");
            Sealer sealer = mine.sealer();
            byte[] envelope = sealer.seal(Parties.text(PAYLOAD), Parties.effective(policy), sender);
            Opener opener = mine.opener(List.of(mine.identity("bob")), Parties.policies(policy));
            assertFrom(sender, opener.open(envelope, Parties.ADDRESS));

            Files.createDirectories(mine.home.crl());
            Files.write(mine.home.crl().resolve("list.crl"), OpenerPolicyTest.revocationListOfItself(sender));

            Awaitility.await()
                    .untilAsserted(
                            () -> assertSenderRejected(CertificateRejectedException.Reason.REVOKED, opener, envelope));
            assertThat(mine.satisfies(envelope, policy)).isFalse();
            Awaitility.await()
                    .untilAsserted(() -> assertThatThrownBy(
                                    () -> sealer.seal(Parties.text(PAYLOAD), Parties.effective(policy), sender))
                            .hasMessageContaining("revoked on"));
        }
    }

    private static void assertSenderRejected(
            CertificateRejectedException.Reason reason, Opener opener, byte[] envelope) {
        assertThatThrownBy(() -> opener.open(envelope, Parties.ADDRESS))
                .isInstanceOfSatisfying(
                        SignerRejectedException.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(reason));
    }

    @Test
    void broker_judgesTheClaimedSender_byListUserAndCurve() {
        Policy policy = policy("bob");
        byte[] envelope = sealed(alice, policy);
        Policy binding =
                policy.with(new Policy.Enforcement(Policy.SignatureCheck.SIGNATURE, false, true, null, List.of()));

        assertThat(parties.satisfies(envelope, policy)).isTrue();
        assertThat(parties.satisfies(envelope, policy("bob", "alice"))).isFalse();
        var unused = parties.check().require(envelope, Parties.ADDRESS, Parties.effective(binding), user("alice"));
        assertThatThrownBy(() ->
                        parties.check().require(envelope, Parties.ADDRESS, Parties.effective(binding), user("mallory")))
                .isInstanceOf(SenderMismatchException.class);

        DerNode wrong = DerNode.parse(envelope);
        Identity other = parties.identity("curve", KeyAlgorithm.EC_P384);
        DerNode agreement = wrong.child(AGREEMENT);
        agreement.child(1, 0, 1).setContent(bits(other));
        agreement.child(2, 0).setContent(SenderKey.of(other.certificate()).material(new byte[16]));
        assertThatThrownBy(() ->
                        parties.check().require(wrong.encoded(), Parties.ADDRESS, Parties.effective(policy), user("x")))
                .isInstanceOf(PolicyViolationException.class)
                .hasMessageContaining("one curve");
    }

    /** A session of a user that belongs to one name. */
    private static SenderRule user(String name) {
        return new SenderRule() {
            @Override
            public boolean accepts(String sender, java.security.cert.X509Certificate signer) {
                return true;
            }

            @Override
            public Optional<String> problemWithSigner(Predicate<List<String>> isSigner) {
                return isSigner.test(List.of(name)) ? Optional.empty() : Optional.of("is not the user's");
            }
        };
    }

    @Test
    void largeMessage_hasOneSender() throws IOException {
        Policy policy = policy("bob");
        byte[] payload = Parties.payload(SegmentSealer.SEGMENT_LENGTH + 5);
        EffectivePolicy effective = Parties.effective(policy);
        List<byte[]> own = parties.segments(SegmentForge.head(), effective, alice, payload);
        List<byte[]> others = parties.segments(SegmentForge.head(), effective, mallory, payload);
        Opener opener = opener(bob, policy);

        OpenedMessage opened = opener.open(Parties.joined(own), Parties.ADDRESS);
        assertThat(opened.payload()).isEqualTo(payload);
        assertThat(opened.signerCertificate()).isEqualTo(alice.certificate());
        byte[] mixed = Parties.joined(List.of(own.get(0), others.get(1)));
        assertRejected(MalformedEnvelopeException.class, opener, mixed);
        assertThatThrownBy(() -> parties.check().require(mixed, Parties.ADDRESS, effective, SenderRule.ANY))
                .isInstanceOf(MalformedEnvelopeException.class)
                .hasMessageContaining("its sender is not that of the first");
    }

    /** A broker's key, which the policy lists, vouches for the user in the header. */
    @Test
    void broker_provesTheUserOfAMessageThatItSealed() {
        Policy policy = policy("bob")
                .with(new Policy.Signing(
                        SignatureAlgorithm.SHA_512, List.of(), CertificateInclusion.INCLUDED, List.of("alice")));
        assertThat(opener(bob, policy)
                        .open(parties.seal(SegmentForge.head(), policy, alice), Parties.ADDRESS)
                        .sender())
                .contains("alice");
        assertThat(opener(bob, policy)
                        .open(parties.seal(SegmentForge.head(), policy, mallory), Parties.ADDRESS)
                        .sender())
                .isEmpty();
    }

    /** Returns the content of the BIT STRING of an identity's point. */
    private static byte[] bits(Identity identity) {
        byte[] key = identity.certificate().getPublicKey().getEncoded();
        int length = key.length == 91 ? 66 : 98; // P-256 or P-384
        return Arrays.copyOfRange(key, key.length - length, key.length);
    }
}
