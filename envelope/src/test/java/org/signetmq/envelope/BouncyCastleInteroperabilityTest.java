/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.cms.AuthEnvelopedData;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.SignedData;
import org.bouncycastle.cms.CMSAuthEnvelopedData;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.KeyTransRecipientInformation;
import org.bouncycastle.cms.PKIXRecipientId;
import org.bouncycastle.cms.RecipientInformation;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.cms.jcajce.JceKeyAgreeEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyTransEnvelopedRecipient;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.internal.entity.EntityReading;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.testkit.Tier;

/** Compares our encodings byte for byte with those of Bouncy Castle, and opens our envelopes with its readers. */
final class BouncyCastleInteroperabilityTest {
    private static final BouncyCastleProvider PROVIDER = new BouncyCastleProvider();
    private static final byte[] PAYLOAD = "Zürich, 100 €\r\n".getBytes(UTF_8);

    @RegisterExtension
    static Parties parties = new Parties();

    static Stream<Arguments> sealed() {
        return Stream.of(KeyAlgorithm.EC_P256, KeyAlgorithm.EC_P384, KeyAlgorithm.EC_P521, KeyAlgorithm.RSA_2048)
                .flatMap(key -> Tier.cases(1, 3, 1)
                        .flatMap(count -> Stream.of(CertificateInclusion.values())
                                .flatMap(inclusion -> policies(key, count, inclusion))
                                .distinct()
                                .map(policy -> Arguments.of(key, policy))));
    }

    private static Stream<Policy> policies(KeyAlgorithm key, int count, CertificateInclusion inclusion) {
        List<String> names =
                Stream.of(1, 2, 3).limit(count).map(i -> key.label() + "-" + i).toList();
        return Stream.of(SignatureAlgorithm.values())
                .filter(algorithm -> Tier.isLong()
                        || key == KeyAlgorithm.RSA_2048
                        || key == KeyAlgorithm.EC_P256
                        || algorithm == SignatureAlgorithm.SHA_512)
                .map(algorithm -> new Policy.Signing(algorithm, List.of(), inclusion))
                .flatMap(signing -> Stream.of(
                        Policy.integrity(Parties.ADDRESS).with(signing),
                        Policy.confidentiality(Parties.ADDRESS, names, KeyLimits.DEFAULT),
                        Policy.privacy(Parties.ADDRESS, names).with(signing)));
    }

    private static byte[] seal(Identity signer, Policy policy, int length) {
        byte[] payload = length == 0 ? PAYLOAD : new byte[length];
        return parties.seal(Parties.text(payload), Parties.policies(policy), signer);
    }

    @ParameterizedTest
    @MethodSource("sealed")
    void envelope_isWhatBouncyCastleEncodesAndOpens(KeyAlgorithm key, Policy policy) throws Exception {
        parties.several(key, 3);
        Identity first = parties.identity(key.label() + "-1", key);

        for (int length : Tier.isLong() ? new int[] {0, 120, 250, 65_000} : new int[] {0}) {
            byte[] envelope = seal(first, policy, length);
            byte[] entity = policy.quality().encrypts() ? decrypted(envelope, policy) : envelope;
            if (policy.quality().signs()) {
                entity = verified(entity, first);
            }

            Entity read = EntityReading.of(entity, 0, entity.length);
            assertThat(read.payload()).isEqualTo(length == 0 ? PAYLOAD : new byte[length]);
        }
    }

    @Test
    void recipientsOfAllKinds_isWhatBouncyCastleEncodes() throws Exception {
        List<String> names = Stream.of(KeyAlgorithm.EC_P256, KeyAlgorithm.EC_P521, KeyAlgorithm.RSA_2048)
                .flatMap(key -> parties.several(key, 2).stream())
                .toList();
        Policy policy = Policy.confidentiality(Parties.ADDRESS, names, KeyLimits.DEFAULT);
        Identity signer = parties.identity("ec-p256-1");

        byte[] envelope = seal(signer, policy, 0);

        decrypted(envelope, policy);
        assertThat(new CMSAuthEnvelopedData(envelope).getRecipientInfos().size())
                .isEqualTo(6);
    }

    /** OpenSSL 3.0 cannot verify these signatures. */
    @Test
    void ed25519_isVerifiedByBouncyCastleAndByUs() throws Exception {
        Identity signer = parties.identity("ed", KeyAlgorithm.ED25519);
        Policy policy = Policy.integrity(Parties.ADDRESS);

        byte[] envelope = seal(signer, policy, 0);

        byte[] entity = verified(envelope, signer);
        assertThat(EntityReading.of(entity, 0, entity.length).payload()).isEqualTo(PAYLOAD);
        OpenedMessage opened =
                parties.opener(List.of(), Parties.policies(policy)).open(envelope, Parties.ADDRESS);
        assertThat(opened.signer()).contains("CN=ed,O=Example");
    }

    /** Returns the content after each recipient has decrypted it alike. */
    private static byte[] decrypted(byte[] envelope, Policy policy) throws Exception {
        ContentInfo info = ContentInfo.getInstance(envelope);
        ContentInfo rebuilt = new ContentInfo(info.getContentType(), AuthEnvelopedData.getInstance(info.getContent()));
        assertThat(rebuilt.getEncoded(ASN1Encoding.DER)).isEqualTo(envelope);
        byte[] content = new byte[0];
        for (String name : policy.encryption().recipients()) {
            Identity recipient = parties.identity(name, KeyAlgorithm.EC_P256); // made before
            byte[] decrypted = informationFor(recipient, envelope);
            assertThat(content.length == 0 || Arrays.equals(content, decrypted)).isTrue();
            content = decrypted;
        }
        return content;
    }

    private static byte[] informationFor(Identity recipient, byte[] envelope) throws Exception {
        for (RecipientInformation information :
                new CMSAuthEnvelopedData(envelope).getRecipientInfos().getRecipients()) {
            byte[] named = ((PKIXRecipientId) information.getRID()).getSubjectKeyIdentifier();
            if (recipient.keyIdentifier().equals(KeyIdentifier.of(named))) {
                return information instanceof KeyTransRecipientInformation
                        ? information.getContent(new JceKeyTransEnvelopedRecipient(SoftwareKey.exported(recipient))
                                .setProvider(PROVIDER))
                        : information.getContent(new JceKeyAgreeEnvelopedRecipient(SoftwareKey.exported(recipient))
                                .setProvider(PROVIDER));
            }
        }
        throw new AssertionError("no recipient info for " + recipient.name());
    }

    private static byte[] verified(byte[] envelope, Identity signer) throws Exception {
        ContentInfo info = ContentInfo.getInstance(envelope);
        ContentInfo rebuilt = new ContentInfo(info.getContentType(), SignedData.getInstance(info.getContent()));
        assertThat(rebuilt.getEncoded(ASN1Encoding.DER)).isEqualTo(envelope);
        CMSSignedData data = new CMSSignedData(envelope);
        SignerInformation information =
                data.getSignerInfos().getSigners().iterator().next();
        assertThat(information.verify(new JcaSimpleSignerInfoVerifierBuilder()
                        .setProvider(PROVIDER)
                        .build(signer.certificate())))
                .isTrue();
        return (byte[]) data.getSignedContent().getContent();
    }
}
