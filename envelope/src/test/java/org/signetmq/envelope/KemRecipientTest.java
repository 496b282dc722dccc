/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.cms.AuthEnvelopedData;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.KEMRecipientInfo;
import org.bouncycastle.asn1.cms.OtherRecipientInfo;
import org.bouncycastle.asn1.cms.RecipientInfo;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cms.CMSAlgorithm;
import org.bouncycastle.cms.CMSAuthEnvelopedData;
import org.bouncycastle.cms.CMSAuthEnvelopedDataGenerator;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.RecipientInformation;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.cms.jcajce.JceKEMEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKEMRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.OutputAEADEncryptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.internal.cms.Commitment;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.keys.AsymmetricOperations;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/** Attacks and opens envelopes for ML-KEM recipients, with Bouncy Castle as the oracle. */
final class KemRecipientTest {
    private static final BouncyCastleProvider PROVIDER = new BouncyCastleProvider();
    private static final byte[] PAYLOAD = Parties.payload(100);

    private Parties parties;
    private KemParties kem;
    private Sealer sealer;

    @BeforeEach
    void makeParties() throws Exception {
        parties = new Parties("alice", "bob");
        kem = new KemParties(parties);
        kem.identity("k768", KeyAlgorithm.ML_KEM_768);
        kem.identity("k1024", KeyAlgorithm.ML_KEM_1024);
        sealer = Sealer.create(kem, kem);
    }

    @AfterEach
    void close() {
        sealer.close();
        parties.close();
    }

    private Identity k768() throws Exception {
        return kem.identity("k768", KeyAlgorithm.ML_KEM_768);
    }

    private static Policy confidentiality(String... names) {
        return Policy.confidentiality(Parties.ADDRESS, List.of(names), KeyLimits.DEFAULT);
    }

    private byte[] sealed(Policy policy) {
        return sealer.seal(Parties.text(PAYLOAD), Parties.effective(policy), parties.identity("alice"));
    }

    private Opener opener(Identity... readers) {
        return opener(PolicySet.EMPTY, readers);
    }

    private Opener opener(PolicySet policies, Identity... readers) {
        return Opener.create(new Opener.Keys(List.of(readers), kem, kem, CryptoProviders.standard()), () -> policies);
    }

    /** The KEMRecipientInfo of an envelope for one recipient. */
    private static DerNode info(DerNode envelope) {
        return envelope.child(1, 0, 1, 0, 1);
    }

    @Test
    void recipientsOfAllKinds_eachOpens() throws Exception {
        Identity rsa = parties.identity("rsa", KeyAlgorithm.RSA_2048);
        List<String> names = List.of("bob", "rsa", "k768", "k1024");
        Identity[] readers = {parties.identity("bob"), rsa, k768(), kem.identity("k1024", KeyAlgorithm.ML_KEM_1024)};
        for (Policy policy : List.of(
                Policy.confidentiality(Parties.ADDRESS, names, KeyLimits.DEFAULT),
                Policy.privacy(Parties.ADDRESS, names))) {
            byte[] envelope = sealed(policy);
            for (Identity reader : readers) {
                OpenedMessage opened = opener(reader).open(envelope, Parties.ADDRESS);
                assertThat(opened.payload()).isEqualTo(PAYLOAD);
                assertThat(opened.quality()).isEqualTo(policy.quality());
            }
            EnvelopeCheck check = EnvelopeCheck.create(kem, kem, CryptoProviders.standard());
            assertThatCode(() -> check.require(envelope, Parties.ADDRESS, Parties.effective(policy), SenderRule.ANY))
                    .doesNotThrowAnyException();
            Policy fewer = confidentiality("bob", "rsa", "k768");
            assertThatThrownBy(() -> check.require(envelope, Parties.ADDRESS, Parties.effective(fewer), SenderRule.ANY))
                    .isInstanceOf(PolicyViolationException.class);
            assertThat(EnvelopeDescription.of(envelope).recipients().toString())
                    .contains("ML-KEM-768, HKDF-SHA-256 derivation, AES-256 key wrap")
                    .contains("ML-KEM-1024");
            assertThat(EnvelopeParties.read(new ByteArrayInputStream(envelope))
                            .orElseThrow()
                            .recipients())
                    .contains("ski:" + k768().keyIdentifier())
                    .hasSize(4);
        }
    }

    @Test
    void oneSecret_servesManyMessages_onBothSides() throws Exception {
        Policy fresh = Policy.privacy(Parties.ADDRESS, List.of("k768"));
        try (Opener opener = opener(k768())) {
            long before = AsymmetricOperations.privateKey();
            byte[] ciphertext = {};
            for (int i = 0; i < 20; i++) {
                byte[] envelope = sealed(fresh);
                assertThat(opener.open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
                byte[] now = info(DerNode.parse(envelope)).child(3).content();
                assertThat(i == 0 || Arrays.equals(now, ciphertext)).isTrue();
                ciphertext = now;
            }
            assertThat(AsymmetricOperations.privateKey() - before)
                    .as("20 signatures and one decapsulation")
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ML_KEM_768", "ML_KEM_1024"})
    void envelope_isWhatBouncyCastleEncodesAndOpens(KeyAlgorithm algorithm) throws Exception {
        Identity reader = kem.identity("reader", algorithm);
        byte[] envelope = sealed(confidentiality("reader"));

        ContentInfo info = ContentInfo.getInstance(envelope);
        AuthEnvelopedData data = AuthEnvelopedData.getInstance(info.getContent());
        KEMRecipientInfo recipient = KEMRecipientInfo.getInstance(OtherRecipientInfo.getInstance(
                        RecipientInfo.getInstance(data.getRecipientInfos().getObjectAt(0))
                                .getInfo())
                .getValue());
        assertThat(recipient.getEncoded(ASN1Encoding.DER))
                .isEqualTo(info(DerNode.parse(envelope)).encoded());
        RecipientInformation found = new CMSAuthEnvelopedData(envelope)
                .getRecipientInfos()
                .getRecipients()
                .iterator()
                .next();
        byte[] content =
                found.getContent(new JceKEMEnvelopedRecipient(SoftwareKey.exported(reader)).setProvider(PROVIDER));
        assertThat(content).endsWith(PAYLOAD);
        assertThat(Commitment.holds(content, content.length)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"ML_KEM_768", "ML_KEM_1024"})
    void envelopeOfBouncyCastle_opens(KeyAlgorithm algorithm) throws Exception {
        Identity reader = kem.identity("reader", algorithm);
        byte[] ours = sealed(confidentiality("k768"));
        byte[] entity = Parties.entity(opener(k768()), ours, Parties.ADDRESS);
        CMSAuthEnvelopedDataGenerator generator = new CMSAuthEnvelopedDataGenerator();
        generator.addRecipientInfoGenerator(new JceKEMRecipientInfoGenerator(
                        reader.keyIdentifier().bytes(),
                        BouncyCastleProvider.getPublicKey(new SubjectPublicKeyInfo(
                                new AlgorithmIdentifier(
                                        algorithm == KeyAlgorithm.ML_KEM_768
                                                ? NISTObjectIdentifiers.id_alg_ml_kem_768
                                                : NISTObjectIdentifiers.id_alg_ml_kem_1024),
                                SubjectPublicKeyInfo.getInstance(reader.certificate()
                                                .getPublicKey()
                                                .getEncoded())
                                        .getPublicKeyData()
                                        .getBytes())),
                        CMSAlgorithm.AES256_WRAP)
                .setKDF(new AlgorithmIdentifier(PKCSObjectIdentifiers.id_alg_hkdf_with_sha256))
                .setProvider(PROVIDER));
        byte[] envelope = generator
                .generate(new CMSProcessableByteArray(entity), (OutputAEADEncryptor)
                        new JceCMSContentEncryptorBuilder(CMSAlgorithm.AES256_GCM)
                                .setProvider(PROVIDER)
                                .build())
                .getEncoded();

        assertThat(opener(reader).open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
    }

    @Test
    void everyByteChanged_isRejected() throws Exception {
        byte[] envelope = sealed(confidentiality("k768"));
        PolicySet policies = Parties.policies(confidentiality("k768"));
        try (Opener opener = opener(policies, k768())) {
            for (int i = 0; i < envelope.length; i++) {
                byte[] changed = envelope.clone();
                changed[i] ^= (byte) (1 << i % 8);
                assertThatThrownBy(() -> opener.open(changed, Parties.ADDRESS))
                        .as("byte %d", i)
                        .isInstanceOf(EnvelopeException.class);
            }
            assertThat(opener.remembered().keys()).isZero();
            assertThat(opener.open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
        }
    }

    @Test
    void wrongLengths_areMalformed() throws Exception {
        for (int field : new int[] {3, 7}) {
            for (int more : new int[] {-1, 1}) {
                DerNode envelope = DerNode.parse(sealed(confidentiality("k768")));
                DerNode changed = info(envelope).child(field);
                changed.setContent(Arrays.copyOf(changed.content(), changed.content().length + more));
                assertThatThrownBy(() -> opener(k768()).open(envelope.encoded(), Parties.ADDRESS))
                        .isInstanceOf(MalformedEnvelopeException.class)
                        .hasMessageContaining("wrong length");
            }
        }
        DerNode huge = DerNode.parse(sealed(confidentiality("k768")));
        info(huge).child(3).setContent(new byte[1569]);
        assertThatThrownBy(() -> opener(k768()).open(huge.encoded(), Parties.ADDRESS))
                .isInstanceOf(MalformedEnvelopeException.class)
                .hasMessageContaining("1568");
    }

    @Test
    void otherDerivationOrWrap_isNotForUs_andCostsNoOperation() throws Exception {
        byte[] sealed = sealed(confidentiality("k768"));
        List<DerNode> others = new ArrayList<>();
        for (int field : new int[] {2, 4, 6}) { // KEM, KDF, wrap: the last byte of the identifier
            DerNode envelope = DerNode.parse(sealed);
            DerNode identifier = info(envelope).child(field, 0);
            byte[] bytes = identifier.content().clone();
            bytes[bytes.length - 1] ^= 0x40;
            identifier.setContent(bytes);
            others.add(envelope);
        }
        DerNode longer = DerNode.parse(sealed);
        info(longer).child(5).setContent(new byte[] {16});
        others.add(longer);
        for (DerNode envelope : others) {
            long before = AsymmetricOperations.privateKey();
            assertThatThrownBy(() -> opener(k768()).open(envelope.encoded(), Parties.ADDRESS))
                    .isInstanceOf(NotARecipientException.class)
                    .hasMessageContaining("its data key for 'k768' is protected by");
            assertThat(AsymmetricOperations.privateKey()).isEqualTo(before);
        }
    }

    @Test
    void userKeyingMaterial_entersTheKey() throws Exception {
        DerNode envelope = DerNode.parse(sealed(confidentiality("k768")));
        info(envelope)
                .children()
                .add(
                        6,
                        DerNode.constructed(
                                DerReader.constructed(0), DerNode.primitive(DerReader.OCTET_STRING, new byte[65])));
        assertThatThrownBy(() -> opener(k768()).open(envelope.encoded(), Parties.ADDRESS))
                .isInstanceOf(MalformedEnvelopeException.class);
        info(envelope).child(6, 0).setContent(new byte[8]);
        assertThatThrownBy(() -> opener(k768()).open(envelope.encoded(), Parties.ADDRESS))
                .isInstanceOf(EnvelopeException.class)
                .hasMessageContaining("does not unwrap");
    }

    /** Someone names the key of an RSA or EC identity in a KEMRecipientInfo, or that of an ML-KEM key elsewhere. */
    @Test
    void infoThatNamesAKeyOfAnotherKind_isNotForIt() throws Exception {
        DerNode forEc = DerNode.parse(sealed(confidentiality("k768")));
        info(forEc).child(1).setContent(parties.identity("bob").keyIdentifier().bytes());
        DerNode forKem = DerNode.parse(sealed(confidentiality("bob")));
        forKem.child(1, 0, 1, 0, 3, 0, 0, 0).setContent(k768().keyIdentifier().bytes());
        DerNode other = DerNode.parse(sealed(confidentiality("k1024")));
        info(other).child(1).setContent(k768().keyIdentifier().bytes());
        long before = AsymmetricOperations.privateKey();
        for (DerNode envelope : List.of(forEc, forKem, other)) {
            assertThatThrownBy(() -> opener(parties.identity("bob"), k768()).open(envelope.encoded(), Parties.ADDRESS))
                    .isInstanceOf(NotARecipientException.class);
        }
        assertThat(AsymmetricOperations.privateKey()).isEqualTo(before);
    }

    @Test
    void wrongSecretsBeforeTheRightOne_areTriedWithinTheBudget() throws Exception {
        for (int wrong : new int[] {1, 2, 5}) {
            DerNode envelope = DerNode.parse(sealed(confidentiality("k768")));
            DerNode infos = envelope.child(1, 0, 1);
            for (int i = 0; i < wrong; i++) {
                DerNode copy = infos.child(infos.children().size() - 1).copy();
                copy.child(1, 3).content()[i] ^= 1;
                infos.children().add(0, copy);
            }
            long before = AsymmetricOperations.privateKey();
            if (wrong == 1) {
                assertThat(opener(k768())
                                .open(envelope.encoded(), Parties.ADDRESS)
                                .payload())
                        .isEqualTo(PAYLOAD);
            } else {
                assertThatThrownBy(() -> opener(k768()).open(envelope.encoded(), Parties.ADDRESS))
                        .isInstanceOf(EnvelopeException.class)
                        .hasMessageContaining("does not unwrap");
            }
            assertThat(AsymmetricOperations.privateKey() - before).isEqualTo(2);
        }
    }
}
