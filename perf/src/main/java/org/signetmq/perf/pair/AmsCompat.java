/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.cms.RecipientInfo;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.cms.CMSEnvelopedData;
import org.bouncycastle.cms.CMSEnvelopedDataGenerator;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.CMSTypedData;
import org.bouncycastle.cms.RecipientInfoGenerator;
import org.bouncycastle.cms.RecipientInformation;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.SignerInformationVerifier;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.cms.jcajce.JceKeyTransEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientId;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.operator.GenericKey;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.OutputEncryptor;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.pair.Participants.Codec;
import org.signetmq.policy.QualityOfProtection;

/**
 * Messages from one sender to one recipient in the manner of IBM MQ AMS: SignedData (integrity), SignedData inside
 * EnvelopedData (privacy), or EnvelopedData (confidentiality), with RSA-2048, SHA-512 and AES-256-CBC. The ciphers are
 * those of the JDK. A content key belongs to a producer, and a consumer remembers one. Either is for one thread.
 */
final class AmsCompat implements Codec {
    private static final ASN1ObjectIdentifier CIPHER = NISTObjectIdentifiers.id_aes256_CBC;
    private static final String SIGNATURE = "SHA512withRSA";

    private final QualityOfProtection quality;
    private final long messagesPerKey;
    private final Identity sender;
    private final Identity recipient;
    private final LongAdder keys = new LongAdder();
    private final LongAdder unwraps = new LongAdder();

    /** An RSA key of 2048 bits with its self-signed certificate. */
    record Identity(PrivateKey key, X509Certificate certificate) {
        private static final Duration VALIDITY = Duration.ofDays(30);
        private static final int SERIAL_BITS = 127;
        /** The key usages that AMS requires for one quality or another. */
        private static final int USAGE = KeyUsage.digitalSignature
                | KeyUsage.nonRepudiation
                | KeyUsage.keyEncipherment
                | KeyUsage.dataEncipherment;

        /** Makes a key and a certificate with this common name. */
        static Identity create(String name) throws GeneralSecurityException {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            X500Name subject = new X500Name("CN=" + name + ",O=Signet perf");
            Instant now = Instant.now();
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    subject,
                    new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS - 1),
                    Date.from(now.minus(Duration.ofHours(1))), // a late clock signs before
                    Date.from(now.plus(VALIDITY)),
                    subject,
                    pair.getPublic());
            try {
                builder.addExtension(Extension.keyUsage, true, new KeyUsage(USAGE))
                        .addExtension(
                                Extension.extendedKeyUsage,
                                false,
                                new ExtendedKeyUsage(KeyPurposeId.id_kp_emailProtection));
                return new Identity(
                        pair.getPrivate(),
                        new JcaX509CertificateConverter()
                                .getCertificate(builder.build(
                                        new JcaContentSignerBuilder(SIGNATURE).build(pair.getPrivate()))));
            } catch (IOException | OperatorCreationException e) {
                throw new GeneralSecurityException("certificate: cannot be made", e);
            }
        }
    }

    /**
     * Takes identities for a sender and a recipient.
     *
     * @param messagesPerKey messages of a producer under one content key; it counts for confidentiality alone
     */
    AmsCompat(QualityOfProtection quality, long messagesPerKey, Identity sender, Identity recipient) {
        this.quality = quality;
        this.messagesPerKey = messagesPerKey;
        this.sender = sender;
        this.recipient = recipient;
    }

    @Override
    public UnaryOperator<byte[]> sealer(String address) {
        return new Producer()::seal;
    }

    @Override
    public UnaryOperator<byte[]> opener() {
        return new Consumer()::open;
    }

    @Override
    public long keys() {
        return keys.sum();
    }

    @Override
    public long unwraps() {
        return unwraps.sum();
    }

    /** Seals messages. Its content key belongs to it alone: another producer makes another key. */
    private final class Producer {
        private final CMSSignedDataGenerator signing = new CMSSignedDataGenerator();
        private final CMSEnvelopedDataGenerator enveloping = new CMSEnvelopedDataGenerator();
        private final JceCMSContentEncryptorBuilder encryptors = new JceCMSContentEncryptorBuilder(CIPHER);
        private byte[] key = {};
        private @Nullable RecipientInfo wrapped;
        private long messages;

        private Producer() {
            RecipientInfoGenerator wrapping;
            try {
                wrapping = new JceKeyTransRecipientInfoGenerator(recipient.certificate);
                signing.addSignerInfoGenerator(
                        new JcaSimpleSignerInfoGeneratorBuilder().build(SIGNATURE, sender.key, sender.certificate));
                signing.addCertificate(new JcaX509CertificateHolder(sender.certificate));
            } catch (GeneralSecurityException | OperatorCreationException | CMSException e) {
                throw new IllegalStateException("ams: " + e.getMessage(), e);
            }
            enveloping.addRecipientInfoGenerator(contentKey -> wrapped(wrapping, contentKey));
        }

        byte[] seal(byte[] payload) {
            try {
                return switch (quality) {
                    case NONE, AUTHENTICITY -> throw new IllegalStateException("quality: not of IBM MQ");
                    case INTEGRITY -> sign(payload);
                    case PRIVACY -> encrypt(sign(payload), 1);
                    case CONFIDENTIALITY -> encrypt(payload, messagesPerKey);
                };
            } catch (CMSException | IOException e) {
                throw new IllegalStateException("message: cannot be sealed", e);
            }
        }

        private byte[] sign(byte[] content) throws CMSException, IOException {
            return signing.generate(new CMSProcessableByteArray(content), true).getEncoded();
        }

        /** Each message carries the same wrapped key, and an initialization vector of its own. */
        private byte[] encrypt(byte[] content, long uses) throws CMSException, IOException {
            if (messages == uses) {
                wrapped = null;
                messages = 0;
            }
            OutputEncryptor encryptor = wrapped == null ? newKey() : encryptors.build(key);
            messages++;
            return enveloping
                    .generate(new CMSProcessableByteArray(content), encryptor)
                    .getEncoded();
        }

        private OutputEncryptor newKey() throws CMSException {
            OutputEncryptor encryptor = encryptors.build();
            if (!(encryptor.getKey().getRepresentation() instanceof byte[] bytes)) {
                throw new CMSException("content key: the provider does not show its bytes");
            }
            key = bytes;
            return encryptor;
        }

        private RecipientInfo wrapped(RecipientInfoGenerator wrapping, GenericKey contentKey) throws CMSException {
            RecipientInfo info = wrapped;
            if (info == null) {
                info = wrapping.generate(contentKey);
                wrapped = info;
                keys.increment();
            }
            return info;
        }
    }

    /** Opens messages. It unwraps a content key only if the last message had another one. */
    private final class Consumer {
        private final JceKeyTransRecipientId own = new JceKeyTransRecipientId(recipient.certificate);
        private final X509CertificateHolder known;
        private final SignerInformationVerifier verifier;
        private final RememberingRecipient remembering = new RememberingRecipient();

        private Consumer() {
            try {
                known = new JcaX509CertificateHolder(sender.certificate);
                verifier = new JcaSimpleSignerInfoVerifierBuilder().build(sender.certificate);
            } catch (GeneralSecurityException | OperatorCreationException e) {
                throw new IllegalStateException("ams: " + e.getMessage(), e);
            }
        }

        /** Returns the payload; throws if the message is damaged, of another sender, or for another recipient. */
        byte[] open(byte[] message) {
            try {
                return switch (quality) {
                    case NONE, AUTHENTICITY -> throw new IllegalStateException("quality: not of IBM MQ");
                    case INTEGRITY -> verify(message);
                    case PRIVACY -> verify(decrypt(message));
                    case CONFIDENTIALITY -> decrypt(message);
                };
            } catch (CMSException | RuntimeException e) {
                throw new IllegalStateException("message: cannot be opened: " + e.getMessage(), e);
            }
        }

        private byte[] decrypt(byte[] message) throws CMSException {
            CMSEnvelopedData enveloped = new CMSEnvelopedData(message);
            RecipientInformation info = enveloped.getRecipientInfos().get(own);
            if (info == null || !enveloped.getEncryptionAlgOID().equals(CIPHER.getId())) {
                throw new CMSException("message: must be for this recipient, with AES-256-CBC");
            }
            return info.getContent(remembering);
        }

        /** Returns the content if the known signer alone has signed it with SHA-512. */
        private byte[] verify(byte[] message) throws CMSException {
            CMSSignedData signed = new CMSSignedData(message);
            Collection<SignerInformation> signers = signed.getSignerInfos().getSigners();
            SignerInformation signer = signers.iterator().next();
            CMSTypedData content = signed.getSignedContent();
            // the known certificate verifies: one from the message would verify the signature of anybody
            if (signers.size() != 1
                    || !signer.getSID().match(known)
                    || !signer.getDigestAlgOID().equals(NISTObjectIdentifiers.id_sha512.getId())
                    || content == null
                    || !signer.verify(verifier)) {
                throw new CMSException("signature: must be the sender's, with SHA-512");
            }
            return (byte[]) content.getContent();
        }
    }

    /** The recipient's private key with the content key that it opened last. */
    private final class RememberingRecipient extends JceKeyTransEnvelopedRecipient {
        private ByteBuffer name = ByteBuffer.allocate(0);
        private @Nullable Key remembered;

        RememberingRecipient() {
            super(recipient.key);
            setKeySizeValidation(true);
        }

        @Override
        protected Key extractSecretKey(AlgorithmIdentifier wrapping, AlgorithmIdentifier cipher, byte[] wrapped)
                throws CMSException {
            Key key = name.equals(ByteBuffer.wrap(wrapped)) ? remembered : null;
            if (key == null) {
                unwraps.increment();
                key = super.extractSecretKey(wrapping, cipher, wrapped);
                name = ByteBuffer.wrap(wrapped);
                remembered = key;
            }
            return key;
        }
    }
}
