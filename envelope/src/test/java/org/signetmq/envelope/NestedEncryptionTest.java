/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cms.CMSAlgorithm;
import org.bouncycastle.cms.CMSAuthEnvelopedDataGenerator;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.cms.jcajce.JceKEMRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.OutputAEADEncryptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.keys.AsymmetricOperations;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SignatureAlgorithm;

/** Attacks encryption for both kinds of keys: an envelope for post-quantum keys around one for classical keys. */
final class NestedEncryptionTest {
    private static final byte[] PAYLOAD = Parties.payload(100);
    private static final Policy ONCE = Policy.confidentiality(Parties.ADDRESS, List.of("bob"), KeyLimits.DEFAULT);
    private static final Policy BOTH = both(ONCE);

    private Parties parties;
    private KemParties kem;
    private Sealer sealer;
    private Identity bob;
    private Identity postQuantum;

    private static Policy both(Policy policy) {
        Policy.Enforcement enforcement = policy.enforcement();
        return policy.with(new Policy.Enforcement(
                enforcement.verify(),
                enforcement.extraRecipients(),
                enforcement.bindUser(),
                enforcement.replayWindow(),
                enforcement.hide(),
                RequiredKeys.BOTH));
    }

    @BeforeEach
    void makeParties() throws Exception {
        parties = new Parties("alice", "bob");
        bob = parties.identity("bob");
        kem = new KemParties(parties);
        postQuantum = kem.identity("bob.pq", KeyAlgorithm.ML_KEM_768);
        sealer = Sealer.create(kem, kem);
    }

    @AfterEach
    void close() {
        sealer.close();
        parties.close();
    }

    private byte[] sealed(Policy policy) {
        return sealed(policy, parties.identity("alice"));
    }

    private byte[] sealed(Policy policy, Identity signer) {
        return sealer.seal(Parties.text(PAYLOAD), Parties.effective(policy), signer);
    }

    /** Encrypts any content for the post-quantum key, with Bouncy Castle. */
    private byte[] around(byte[] content) throws Exception {
        BouncyCastleProvider provider = new BouncyCastleProvider();
        CMSAuthEnvelopedDataGenerator generator = new CMSAuthEnvelopedDataGenerator();
        generator.addRecipientInfoGenerator(new JceKEMRecipientInfoGenerator(
                        postQuantum.keyIdentifier().bytes(),
                        BouncyCastleProvider.getPublicKey(new SubjectPublicKeyInfo(
                                new AlgorithmIdentifier(NISTObjectIdentifiers.id_alg_ml_kem_768),
                                SubjectPublicKeyInfo.getInstance(postQuantum
                                                .certificate()
                                                .getPublicKey()
                                                .getEncoded())
                                        .getPublicKeyData()
                                        .getBytes())),
                        CMSAlgorithm.AES256_WRAP)
                .setKDF(new AlgorithmIdentifier(PKCSObjectIdentifiers.id_alg_hkdf_with_sha256))
                .setProvider(provider));
        return generator
                .generate(new CMSProcessableByteArray(content), (OutputAEADEncryptor)
                        new JceCMSContentEncryptorBuilder(CMSAlgorithm.AES256_GCM)
                                .setProvider(provider)
                                .build())
                .toASN1Structure()
                .getEncoded(ASN1Encoding.DER);
    }

    @Test
    void otherNestings_areMalformed() throws Exception {
        byte[] once = sealed(ONCE);
        byte[] nested = sealed(BOTH);
        byte[] postQuantumAlone = sealed(Policy.confidentiality(Parties.ADDRESS, List.of("bob.pq"), KeyLimits.DEFAULT));
        try (Opener opener = opener(BOTH, bob, postQuantum)) {
            assertThat(opener.open(around(once), Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
            for (byte[] inner : List.of(nested, postQuantumAlone, around(nested))) {
                assertThatThrownBy(() -> opener.open(around(inner), Parties.ADDRESS))
                        .isInstanceOf(MalformedEnvelopeException.class)
                        .hasMessageContaining("not for post-quantum keys outside");
            }
        }
    }

    private Opener opener(Policy policy, Identity... readers) {
        return opener(Parties.policies(policy), List.of(readers));
    }

    private Opener opener(PolicySet policies, List<Identity> readers) {
        return Opener.create(new Opener.Keys(readers, kem, kem, CryptoProviders.standard()), () -> policies);
    }

    @Test
    void message_needsBothKeys_andKeepsBothInTheCache() {
        try (Opener opener = opener(BOTH, bob, postQuantum)) {
            long before = AsymmetricOperations.privateKey();
            for (int i = 0; i < 5; i++) {
                assertThat(opener.open(sealed(BOTH), Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
            }
            assertThat(AsymmetricOperations.privateKey() - before).isEqualTo(2);
        }
        byte[] envelope = sealed(BOTH);
        for (Identity one : List.of(bob, postQuantum)) {
            assertThatThrownBy(() -> opener(BOTH, one).open(envelope, Parties.ADDRESS))
                    .isInstanceOf(NotARecipientException.class);
            assertThat(opener(BOTH, one).remembered().keys()).isZero();
        }
        assertThat(opener(BOTH, bob, postQuantum).sealedAddress(envelope)).contains(Parties.ADDRESS);
    }

    @Test
    void privacyAndLargeMessages_open() throws Exception {
        Policy privacy = both(Policy.privacy(Parties.ADDRESS, List.of("bob"))
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of("alice"), CertificateInclusion.INCLUDED)));
        Identity signer = parties.identity("alice").with(parties.identity("alice.pq", KeyAlgorithm.ML_DSA_65));
        try (Opener opener = opener(privacy, bob, postQuantum)) {
            assertThat(opener.open(sealed(privacy, signer), Parties.ADDRESS).payload())
                    .isEqualTo(PAYLOAD);
        }
        byte[] large = Parties.payload(2_500_000);
        byte[] envelopes;
        try (ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            try (SegmentSealer segments = sealer.segments(
                    Parties.text(new byte[0]), Parties.effective(BOTH), parties.identity("alice"), out::write)) {
                segments.add(large, 0, large.length);
                segments.finish();
            }
            envelopes = out.toByteArray();
        }
        try (Opener opener = opener(BOTH, bob, postQuantum)) {
            assertThat(opener.open(envelopes, Parties.ADDRESS).payload()).isEqualTo(large);
            assertThat(opener.openSegments(new ByteArrayInputStream(envelopes), Parties.ADDRESS)
                            .next())
                    .isPresent();
        }
    }

    @Test
    void nesting_isRefusedWhereNotAsked_andRequiredWhereAsked() {
        byte[] nested = sealed(BOTH);
        byte[] single = sealed(ONCE);
        byte[] postQuantumAlone = sealed(Policy.confidentiality(Parties.ADDRESS, List.of("bob.pq"), KeyLimits.DEFAULT));

        assertThatThrownBy(() -> opener(ONCE, bob, postQuantum).open(nested, Parties.ADDRESS))
                .isInstanceOf(MalformedEnvelopeException.class)
                .hasMessageContaining("encrypted twice");
        for (byte[] envelope : List.of(single, postQuantumAlone)) {
            assertThatThrownBy(() -> opener(BOTH, bob, postQuantum).open(envelope, Parties.ADDRESS))
                    .isInstanceOf(PolicyViolationException.class)
                    .hasMessageContaining("requires both");
        }
    }

    @Test
    void broker_seesTheRecipientsWithPostQuantumKeys() {
        EnvelopeCheck check = EnvelopeCheck.create(kem, kem, CryptoProviders.standard());
        byte[] nested = sealed(BOTH);

        assertThatCode(() -> check.require(nested, Parties.ADDRESS, Parties.effective(BOTH), SenderRule.ANY))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> check.require(sealed(ONCE), Parties.ADDRESS, Parties.effective(BOTH), SenderRule.ANY))
                .isInstanceOf(PolicyViolationException.class);
        assertThatThrownBy(() -> check.require(nested, Parties.ADDRESS, Parties.effective(ONCE), SenderRule.ANY))
                .isInstanceOf(PolicyViolationException.class);
    }

    @Test
    void recipientWithoutASecondKey_isRefusedWhenSealing() throws Exception {
        Policy missing = both(Policy.confidentiality(Parties.ADDRESS, List.of("alice"), KeyLimits.DEFAULT));
        assertThatThrownBy(() -> sealed(missing))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("alice.pq");
        kem.identity("bob.pq.pq", KeyAlgorithm.ML_KEM_768);
        Policy wrong = both(Policy.confidentiality(Parties.ADDRESS, List.of("bob.pq"), KeyLimits.DEFAULT));
        assertThatThrownBy(() -> sealed(wrong))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("wrong kind");
    }

    private static PolicySet recovering(String... names) {
        return PolicySet.of(17, PolicySet.Settings.DEFAULT.withRecovery(List.of(names)), List.of(BOTH));
    }

    private byte[] sealed(PolicySet policies) {
        return sealer.seal(
                Parties.text(PAYLOAD), policies.find(Parties.ADDRESS).orElseThrow(), parties.identity("alice"));
    }

    @Test
    void recovery_opensWithItsTwoKeys_andWithNoOneOfThem() throws Exception {
        Identity vault = parties.identity("vault");
        Identity companion = kem.identity("vault.pq", KeyAlgorithm.ML_KEM_768);
        PolicySet policies = recovering("vault");
        byte[] envelope = sealed(policies);

        for (List<Identity> readers : List.of(List.of(vault, companion), List.of(bob, postQuantum))) {
            try (Opener opener = opener(policies, readers)) {
                assertThat(opener.open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
            }
        }
        for (Identity one : List.of(vault, companion)) {
            try (Opener opener = opener(policies, List.of(one))) {
                assertThatThrownBy(() -> opener.open(envelope, Parties.ADDRESS))
                        .isInstanceOf(NotARecipientException.class);
            }
        }
        EnvelopeCheck check = EnvelopeCheck.create(kem, kem, CryptoProviders.standard());
        EffectivePolicy effective = policies.find(Parties.ADDRESS).orElseThrow();
        assertThat(check.satisfies(envelope, Parties.ADDRESS, effective, SenderRule.ANY))
                .isTrue();
        assertThat(check.satisfies(sealed(BOTH), Parties.ADDRESS, effective, SenderRule.ANY))
                .isFalse();
    }

    @Test
    void recoveryWithoutACompanion_isRefusedWithItsName() {
        String identifier = "ski:" + parties.identity("vault").keyIdentifier();

        assertThatThrownBy(() -> sealed(recovering("vault")))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("recipient 'vault.pq': no such certificate");
        for (String other : List.of("bob.pq", "CN=vault,O=Example", identifier)) {
            assertThatThrownBy(() -> recovering(other))
                    .isInstanceOf(InvalidPolicyException.class)
                    .hasMessageContaining("policies[0].require: both needs names for recovery too")
                    .hasMessageContaining(other);
        }
    }

    @Test
    void changedBytes_areRejected() {
        byte[] envelope = sealed(BOTH);
        try (Opener opener = opener(BOTH, bob, postQuantum)) {
            for (int i = 0; i < envelope.length; i += 3) {
                byte[] changed = envelope.clone();
                changed[i] ^= 1;
                assertThatThrownBy(() -> opener.open(changed, Parties.ADDRESS))
                        .as("byte %d", i)
                        .isInstanceOf(EnvelopeException.class);
            }
            assertThat(opener.remembered().keys()).isZero();
        }
    }
}
