/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.DLSequence;
import org.bouncycastle.asn1.DLSet;
import org.bouncycastle.asn1.DLTaggedObject;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.SignedData;
import org.bouncycastle.asn1.cms.SignerInfo;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.Policy.SignatureSharing;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.testkit.Tier;

/** Signatures of ML-DSA keys, alone and beside those of classical keys. */
class PostQuantumSignatureTest {
    @RegisterExtension
    static final Parties parties = new Parties("alice", "mallory", "bob");

    private static final byte[] PAYLOAD = Parties.payload(100);
    private static final Identity ALICE_PQ = parties.identity("alice.pq", KeyAlgorithm.ML_DSA_65);
    private static final Identity MALLORY_PQ = parties.identity("mallory.pq", KeyAlgorithm.ML_DSA_65);
    private static final Identity ALICE = parties.identity("alice").with(ALICE_PQ);
    private static final Identity MALLORY = parties.identity("mallory").with(MALLORY_PQ);
    private static final Identity BOB = parties.identity("bob");

    private static Policy signedBy(QualityOfProtection quality, SignatureSharing sharing, String... signers) {
        return Parties.policy(quality, "bob")
                .with(new Policy.Signing(
                        SignatureAlgorithm.SHA_512,
                        List.of(signers),
                        CertificateInclusion.INCLUDED,
                        List.of(),
                        sharing));
    }

    private static Policy both(String... signers) {
        return requiringBoth(signedBy(QualityOfProtection.INTEGRITY, SignatureSharing.SINGLE, signers));
    }

    private static Policy requiringBoth(Policy policy) {
        return policy.with(new Enforcement(SignatureCheck.SIGNATURE, false, false, null, List.of(), RequiredKeys.BOTH));
    }

    private static byte[] seal(Policy policy, Identity signer) {
        return parties.seal(Parties.text(PAYLOAD), policy, signer);
    }

    private static Opener opener(Policy policy) {
        return parties.opener(List.of(BOB), Parties.policies(policy));
    }

    private static void requireVerified(byte[] envelope, Identity... signers) throws Exception {
        ContentInfo info = ContentInfo.getInstance(envelope);
        ContentInfo rebuilt = new ContentInfo(info.getContentType(), SignedData.getInstance(info.getContent()));
        assertThat(rebuilt.getEncoded(ASN1Encoding.DER)).isEqualTo(envelope);
        List<SignerInformation> found =
                List.copyOf(new CMSSignedData(envelope).getSignerInfos().getSigners());
        assertThat(found).hasSize(signers.length);
        for (int i = 0; i < signers.length; i++) {
            assertThat(found.get(i)
                            .verify(new JcaSimpleSignerInfoVerifierBuilder()
                                    .setProvider(CryptoProviders.bouncyCastle())
                                    .build(signers[i].certificate())))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ML_DSA_65", "ML_DSA_87"})
    void signatureAlone_isVerifiedByBouncyCastleAndByUs(KeyAlgorithm algorithm) throws Exception {
        Identity signer = parties.identity(algorithm.label(), algorithm);
        Policy policy = signedBy(QualityOfProtection.INTEGRITY, SignatureSharing.SINGLE, algorithm.label());

        byte[] envelope = seal(policy, signer);

        requireVerified(envelope, signer);
        OpenedMessage opened = opener(policy).open(envelope, Parties.ADDRESS);
        assertThat(opened.payload()).isEqualTo(PAYLOAD);
        assertThat(opened.signerCertificate()).isEqualTo(signer.certificate());
        assertThat(EnvelopeDescription.of(envelope)
                        .signatureIfVisible()
                        .orElseThrow()
                        .algorithm())
                .isEqualTo(algorithm.standardName());
    }

    @Test
    void signatureOfBouncyCastle_isVerifiedByUs() throws Exception {
        byte[] entity = entity();
        CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
        generator.addSignerInfoGenerator(new JcaSignerInfoGeneratorBuilder(new JcaDigestCalculatorProviderBuilder()
                        .setProvider(CryptoProviders.bouncyCastle())
                        .build())
                .build(
                        new JcaContentSignerBuilder("ML-DSA-65")
                                .setProvider(CryptoProviders.bouncyCastle())
                                .build(SoftwareKey.exported(ALICE_PQ)),
                        ALICE_PQ.certificate()));
        generator.addCertificates(new JcaCertStore(List.of(ALICE_PQ.certificate())));
        byte[] envelope =
                generator.generate(new CMSProcessableByteArray(entity), true).getEncoded();

        Policy policy = signedBy(QualityOfProtection.INTEGRITY, SignatureSharing.SINGLE, "alice.pq");
        assertThat(opener(policy).open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
    }

    /** Returns an entity as we write it. */
    private static byte[] entity() throws Exception {
        Policy policy = signedBy(QualityOfProtection.INTEGRITY, SignatureSharing.SINGLE, "alice");
        return (byte[])
                new CMSSignedData(seal(policy, ALICE)).getSignedContent().getContent();
    }

    @ParameterizedTest
    @EnumSource
    void bothSignatures_areVerified_aloneAndShared(SignatureSharing sharing) throws Exception {
        for (QualityOfProtection quality : List.of(QualityOfProtection.INTEGRITY, QualityOfProtection.PRIVACY)) {
            if (quality.encrypts()) {
                continue; // the encryption for both kinds of keys has its own test
            }
            Policy policy = requiringBoth(signedBy(quality, sharing, "alice"));
            byte[] envelope = seal(policy, ALICE);

            requireVerified(envelope, ALICE, ALICE_PQ);
            OpenedMessage opened = opener(policy).open(envelope, Parties.ADDRESS);
            assertThat(opened.payload()).isEqualTo(PAYLOAD);
            assertThat(opened.signerCertificate()).isEqualTo(ALICE.certificate());
            assertThat(parties.satisfies(envelope, policy)).isTrue();
        }
    }

    @Test
    void largeMessage_hasBothSignaturesInEachSegment() throws Exception {
        Policy policy = both("alice");
        byte[] payload = Parties.payload((2 << 20) + 5);
        List<byte[]> segments = parties.segments(Parties.text(new byte[0]), Parties.effective(policy), ALICE, payload);

        assertThat(segments).hasSize(3);
        assertThat(Parties.entity(opener(policy), Parties.joined(segments), Parties.ADDRESS))
                .endsWith(Arrays.copyOfRange(payload, payload.length - 100, payload.length));
        List<byte[]> mixed = new ArrayList<>(segments);
        mixed.set(
                1,
                parties.segments(Parties.text(new byte[0]), Parties.effective(both("mallory")), MALLORY, payload)
                        .get(1));
        assertThatThrownBy(() -> Parties.entity(opener(policy), Parties.joined(mixed), Parties.ADDRESS))
                .isInstanceOf(EnvelopeException.class);
    }

    @Test
    void twoSigners_refusedWhereThePolicyDoesNotRequireBoth() {
        byte[] envelope = seal(both("alice"), ALICE);
        Policy usual = signedBy(QualityOfProtection.INTEGRITY, SignatureSharing.SINGLE, "alice", "alice.pq");

        Parties.assertRejected(MalformedEnvelopeException.class, opener(usual), envelope, "two signers");
        Parties.assertRejected(
                MalformedEnvelopeException.class,
                parties.opener(List.of(), Parties.policies()),
                envelope,
                "two signers");
        assertThat(parties.satisfies(envelope, usual)).isFalse();
    }

    @Test
    void strippedSignature_refused() throws Exception {
        byte[] envelope = seal(both("alice"), ALICE);
        List<SignerInfo> infos = infos(envelope);

        for (SignerInfo left : infos) {
            Parties.assertRejected(
                    PolicyViolationException.class, opener(both("alice")), with(envelope, left), "requires both");
        }
        byte[] usual = seal(signedBy(QualityOfProtection.INTEGRITY, SignatureSharing.SINGLE, "alice"), ALICE);
        Parties.assertRejected(PolicyViolationException.class, opener(both("alice")), usual, "requires both");
        assertThat(parties.satisfies(usual, both("alice"))).isFalse();
    }

    @Test
    void wrongPairs_refused() throws Exception {
        byte[] envelope = seal(both("alice", "mallory"), ALICE);
        byte[] other = seal(both("alice", "mallory"), MALLORY);
        SignerInfo classical = infos(envelope).get(0);
        SignerInfo postQuantum = infos(envelope).get(1);
        Opener opener = opener(both("alice", "mallory"));

        assertThat(opener.open(with(envelope, classical, postQuantum), Parties.ADDRESS)
                        .payload())
                .isEqualTo(PAYLOAD);
        for (SignerInfo[] pair : new SignerInfo[][] {
            {classical, classical}, {postQuantum, postQuantum},
            {classical, infos(other).get(0)}, {classical, postQuantum, postQuantum},
            {classical, classical, postQuantum}
        }) {
            Parties.assertRejected(MalformedEnvelopeException.class, opener, with(envelope, pair), "signers");
        }
    }

    /** Each signature is right and each signer is on the list, but they are two parties. */
    @Test
    void signaturesOfTwoParties_refused() {
        Identity mixed = parties.identity("alice").with(MALLORY_PQ);
        Policy anyPair = both("alice", "mallory");

        assertThatThrownBy(() -> seal(anyPair, mixed)).isInstanceOf(SignerNotAuthorizedException.class);
        parties.identity("eve", KeyAlgorithm.EC_P256);
        Policy lax = both("alice", "eve");
        Parties.assertRejected(
                SignerNotAuthorizedException.class, opener(lax), seal(both("mallory"), MALLORY), "not on the list");
    }

    @Test
    void mixedSignerInfos_refused() throws Exception {
        byte[] envelope = seal(both("alice", "mallory"), ALICE);
        byte[] other = seal(both("alice", "mallory"), MALLORY);

        // over other content
        byte[] swapped = with(envelope, infos(envelope).get(0), infos(other).get(1));
        assertThatThrownBy(() -> opener(both("alice", "mallory")).open(swapped, Parties.ADDRESS))
                .isInstanceOf(EnvelopeException.class);
        byte[] differing = with(
                envelope,
                infos(envelope).get(0),
                infos(seal(both("alice"), ALICE)).get(1));
        Parties.assertRejected(AuthenticationFailedException.class, opener(both("alice")), differing, "changed");
    }

    @Test
    void companionOfAnotherKind_orNone_refusedAtSealing() {
        assertThatThrownBy(() -> seal(both("bob"), BOB))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("bob.pq");
        parties.identity("carol.pq", KeyAlgorithm.EC_P256);
        Identity carol = parties.identity("carol").with(parties.identity("carol.pq"));
        assertThatThrownBy(() -> seal(both("carol"), carol))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("ML-DSA");
    }

    @Test
    void everyChangedByteOfTheSignatures_rejected() {
        byte[] envelope = seal(both("alice"), ALICE);
        Opener opener = opener(both("alice"));
        int step = Tier.isLong() ? 1 : 7;
        Random random = new Random(1);
        for (int i = 0; i < envelope.length; i += step) {
            byte[] changed = envelope.clone();
            changed[i] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> opener.open(changed, Parties.ADDRESS)).isInstanceOf(EnvelopeException.class);
        }
    }

    private static List<SignerInfo> infos(byte[] envelope) {
        return Stream.of(signed(envelope).getSignerInfos().toArray())
                .map(SignerInfo::getInstance)
                .toList();
    }

    private static SignedData signed(byte[] envelope) {
        return SignedData.getInstance(ContentInfo.getInstance(envelope).getContent());
    }

    /** Returns the envelope with these signers in this order. */
    private static byte[] with(byte[] envelope, SignerInfo... infos) throws IOException {
        SignedData data = signed(envelope);
        ASN1Set set = new DLSet(infos);
        byte[] encoded = set.getEncoded(ASN1Encoding.DL);
        ASN1Encodable[] parts = {
            data.getVersion(),
            data.getDigestAlgorithms(),
            data.getEncapContentInfo(),
            new DLTaggedObject(false, 0, data.getCertificates()),
            ASN1Set.getInstance(encoded)
        };
        return new DLSequence(new ASN1Encodable[] {
                    ContentInfo.getInstance(envelope).getContentType(),
                    new DLTaggedObject(true, 0, new DLSequence(parts))
                })
                .getEncoded(ASN1Encoding.DL);
    }
}
