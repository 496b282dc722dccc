/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import com.amazonaws.encryptionsdk.AwsCrypto;
import com.amazonaws.encryptionsdk.CommitmentPolicy;
import com.amazonaws.encryptionsdk.CryptoAlgorithm;
import com.amazonaws.encryptionsdk.CryptoMaterialsManager;
import com.amazonaws.encryptionsdk.DefaultCryptoMaterialsManager;
import com.amazonaws.encryptionsdk.caching.CachingCryptoMaterialsManager;
import com.amazonaws.encryptionsdk.caching.LocalCryptoMaterialsCache;
import com.amazonaws.encryptionsdk.jce.JceMasterKey;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.HybridDecrypt;
import com.google.crypto.tink.HybridEncrypt;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.KmsEnvelopeAead;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import com.google.crypto.tink.hybrid.HybridConfig;
import com.google.crypto.tink.hybrid.PredefinedHybridParameters;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.spec.MGF1ParameterSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cms.CMSAuthEnvelopedData;
import org.bouncycastle.cms.CMSAuthEnvelopedDataGenerator;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.Recipient;
import org.bouncycastle.cms.RecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.cms.jcajce.JceKeyAgreeAuthEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyAgreeRecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyTransAuthEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.OutputAEADEncryptor;
import org.bouncycastle.operator.jcajce.JcaAlgorithmParametersConverter;
import org.jose4j.jwe.ContentEncryptionAlgorithmIdentifiers;
import org.jose4j.jwe.JsonWebEncryption;
import org.jose4j.jwe.KeyManagementAlgorithmIdentifiers;

/**
 * Peers with a library that makes its own buffers. Where they wrap with RSA, the key has 2048 bits, and OAEP takes
 * SHA-256. Contents are encrypted with AES-256-GCM, if not told otherwise.
 */
final class SimplePeers {
    private static final long MOST_AWS_MESSAGES = 1L << 32;
    private static final byte[] CONTEXT = "orders.eu".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};
    private static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();
    private static final byte[] KEY_IDENTIFIER = new byte[20];

    record TinkMessage(ByteBuffer wrappedKey, byte[] ciphertext) {}

    private record TinkKey(ByteBuffer wrapped, Aead aead) {}

    private SimplePeers() {}

    /** Returns the AWS Encryption SDK, its keys cached, with commitment to the key. */
    static Peer<byte[]> aws(long reuse) throws GeneralSecurityException {
        AwsCrypto crypto = AwsCrypto.builder()
                .withCommitmentPolicy(CommitmentPolicy.RequireEncryptRequireDecrypt)
                .withEncryptionAlgorithm(CryptoAlgorithm.ALG_AES_256_GCM_HKDF_SHA512_COMMIT_KEY)
                .build();
        KeyPair pair = Peer.rsaKeys();
        JceMasterKey key = JceMasterKey.getInstance(
                pair.getPublic(), pair.getPrivate(), "signet", "recipient", "RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
        CryptoMaterialsManager sealing = reuse <= 1 ? new DefaultCryptoMaterialsManager(key) : cached(key, reuse);
        CryptoMaterialsManager opening = cached(key, MOST_AWS_MESSAGES);
        Map<String, String> context = Map.of("queue", "orders.eu");
        return new Peer<>(
                payload -> crypto.encryptData(sealing, payload, context).getResult(),
                message -> crypto.decryptData(opening, message).getResult());
    }

    private static CryptoMaterialsManager cached(JceMasterKey key, long reuse) {
        return CachingCryptoMaterialsManager.newBuilder()
                .withMasterKeyProvider(key)
                .withCache(new LocalCryptoMaterialsCache(100))
                .withMaxAge(1, TimeUnit.HOURS)
                .withMessageUseLimit(Math.min(reuse, MOST_AWS_MESSAGES))
                .build();
    }

    /** Returns JWE in its compact form, a key per message. */
    static Peer<String> jose4j() throws GeneralSecurityException {
        KeyPair pair = Peer.rsaKeys();
        return new Peer<>(
                payload -> {
                    JsonWebEncryption jwe = new JsonWebEncryption();
                    jwe.setAlgorithmHeaderValue(KeyManagementAlgorithmIdentifiers.RSA_OAEP_256);
                    jwe.setEncryptionMethodHeaderParameter(ContentEncryptionAlgorithmIdentifiers.AES_256_GCM);
                    jwe.setKey(pair.getPublic());
                    jwe.setPlaintext(payload);
                    return jwe.getCompactSerialization();
                },
                message -> {
                    JsonWebEncryption jwe = new JsonWebEncryption();
                    jwe.setKey(pair.getPrivate());
                    jwe.setCompactSerialization(message);
                    return jwe.getPlaintextBytes();
                });
    }

    /** Returns Tink's envelope encryption, under a key in memory where a key service would be. */
    static Peer<byte[]> tinkEnvelope() throws GeneralSecurityException {
        AeadConfig.register();
        Aead aead = KmsEnvelopeAead.create(PredefinedAeadParameters.AES256_GCM, aead(newKey()));
        return new Peer<>(payload -> aead.encrypt(payload, CONTEXT), message -> aead.decrypt(message, CONTEXT));
    }

    /**
     * Returns Tink with data keys used several times. Its user must do that: a keyset is encrypted under a key in
     * memory.
     */
    static Peer<TinkMessage> tink(long reuse) throws Exception {
        AeadConfig.register();
        Aead master = aead(newKey());
        Callable<TinkKey> keys = Peer.renewing(reuse, () -> {
            KeysetHandle key = newKey();
            byte[] wrapped =
                    TinkProtoKeysetFormat.serializeEncryptedKeyset(key, master, NOTHING, RegistryConfiguration.get());
            return new TinkKey(ByteBuffer.wrap(wrapped), aead(key));
        });
        Map<ByteBuffer, Aead> opened = new HashMap<>();
        return new Peer<>(
                payload -> {
                    TinkKey key = keys.call();
                    return new TinkMessage(key.wrapped(), key.aead().encrypt(payload, CONTEXT));
                },
                message -> {
                    Aead key = opened.get(message.wrappedKey());
                    if (key == null) {
                        key = aead(TinkProtoKeysetFormat.parseEncryptedKeyset(
                                message.wrappedKey().array(), master, NOTHING, RegistryConfiguration.get()));
                        opened.put(message.wrappedKey(), key);
                    }
                    return key.decrypt(message.ciphertext(), CONTEXT);
                });
    }

    /** Returns Tink's HPKE: X25519 and AES-128-GCM, the predefined parameters, for one recipient. */
    static Peer<byte[]> tinkHpke() throws GeneralSecurityException {
        HybridConfig.register();
        KeysetHandle key = KeysetHandle.generateNew(
                PredefinedHybridParameters.HPKE_X25519_HKDF_SHA256_AES_128_GCM, RegistryConfiguration.get());
        HybridEncrypt recipient =
                key.getPublicKeysetHandle().getPrimitive(RegistryConfiguration.get(), HybridEncrypt.class);
        HybridDecrypt own = key.getPrimitive(RegistryConfiguration.get(), HybridDecrypt.class);
        return new Peer<>(payload -> recipient.encrypt(payload, CONTEXT), message -> own.decrypt(message, CONTEXT));
    }

    private static KeysetHandle newKey() throws GeneralSecurityException {
        return KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, RegistryConfiguration.get());
    }

    private static Aead aead(KeysetHandle key) throws GeneralSecurityException {
        return key.getPrimitive(RegistryConfiguration.get(), Aead.class);
    }

    /** Returns Bouncy Castle's stock generators and parsers of AuthEnvelopedData: a key per message, no cache. */
    static Peer<byte[]> cms() throws Exception {
        AlgorithmIdentifier oaep = new JcaAlgorithmParametersConverter()
                .getAlgorithmIdentifier(
                        PKCSObjectIdentifiers.id_RSAES_OAEP,
                        new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT));
        KeyPair pair = Peer.rsaKeys();
        return cms(
                () -> new JceKeyTransRecipientInfoGenerator(KEY_IDENTIFIER, oaep, pair.getPublic())
                        .setProvider(BOUNCY_CASTLE),
                new JceKeyTransAuthEnvelopedRecipient(pair.getPrivate()).setProvider(BOUNCY_CASTLE));
    }

    /** Returns the same with a P-256 recipient: ephemeral-static ECDH with SHA-256, AES-256 key wrap. */
    static Peer<byte[]> cmsEc() throws Exception {
        KeyPairGenerator keys = KeyPairGenerator.getInstance("EC", BOUNCY_CASTLE);
        keys.initialize(256);
        KeyPair pair = keys.generateKeyPair();
        return cms(
                () -> {
                    KeyPair ephemeral = keys.generateKeyPair();
                    return new JceKeyAgreeRecipientInfoGenerator(
                                    SECObjectIdentifiers.dhSinglePass_stdDH_sha256kdf_scheme,
                                    ephemeral.getPrivate(),
                                    ephemeral.getPublic(),
                                    NISTObjectIdentifiers.id_aes256_wrap)
                            .addRecipient(KEY_IDENTIFIER, pair.getPublic())
                            .setProvider(BOUNCY_CASTLE);
                },
                new JceKeyAgreeAuthEnvelopedRecipient(pair.getPrivate()).setProvider(BOUNCY_CASTLE));
    }

    private static Peer<byte[]> cms(Callable<RecipientInfoGenerator> recipientInfo, Recipient recipient) {
        return new Peer<>(
                payload -> {
                    CMSAuthEnvelopedDataGenerator generator = new CMSAuthEnvelopedDataGenerator();
                    generator.addRecipientInfoGenerator(recipientInfo.call());
                    OutputAEADEncryptor encryptor =
                            (OutputAEADEncryptor) new JceCMSContentEncryptorBuilder(NISTObjectIdentifiers.id_aes256_GCM)
                                    .setProvider(BOUNCY_CASTLE)
                                    .build();
                    return generator
                            .generate(new CMSProcessableByteArray(payload), encryptor)
                            .getEncoded();
                },
                message -> new CMSAuthEnvelopedData(message)
                        .getRecipientInfos()
                        .iterator()
                        .next()
                        .getContent(recipient));
    }
}
