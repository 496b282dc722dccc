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
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.KmsEnvelopeAead;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import com.google.crypto.tink.hybrid.HybridConfig;
import com.google.crypto.tink.hybrid.PredefinedHybridParameters;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jose4j.jwe.ContentEncryptionAlgorithmIdentifiers;
import org.jose4j.jwe.JsonWebEncryption;
import org.jose4j.jwe.KeyManagementAlgorithmIdentifiers;

/**
 * A peer with a library that keeps all state: it has no buffers and keys of its own.
 *
 * @param sealing of a payload
 * @param opening of a sealed payload
 */
record SimplePeer<S>(Step<byte[], S> sealing, Step<S, byte[]> opening) implements Peer<S> {
    private static final long MOST_AWS_MESSAGES = 1L << 32;
    private static final byte[] CONTEXT = "orders.eu".getBytes(StandardCharsets.US_ASCII);

    /** A step that may fail. */
    interface Step<A, B> {
        B apply(A from) throws Exception;
    }

    @Override
    public S seal(byte[] payload) throws Exception {
        return sealing.apply(payload);
    }

    @Override
    public byte[] open(S sealed) throws Exception {
        return opening.apply(sealed);
    }

    /** Returns the AWS Encryption SDK, its keys cached: RSA-2048 OAEP with SHA-256, committing AES-256-GCM. */
    static SimplePeer<byte[]> aws(long reuse) throws GeneralSecurityException {
        AwsCrypto crypto = AwsCrypto.builder()
                .withCommitmentPolicy(CommitmentPolicy.RequireEncryptRequireDecrypt)
                .withEncryptionAlgorithm(CryptoAlgorithm.ALG_AES_256_GCM_HKDF_SHA512_COMMIT_KEY)
                .build();
        KeyPair pair = Peers.rsaKeys();
        JceMasterKey key = JceMasterKey.getInstance(
                pair.getPublic(), pair.getPrivate(), "signet", "recipient", "RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
        CryptoMaterialsManager sealing = reuse <= 1 ? new DefaultCryptoMaterialsManager(key) : cached(key, reuse);
        CryptoMaterialsManager opening = cached(key, MOST_AWS_MESSAGES);
        Map<String, String> context = Map.of("queue", "orders.eu");
        return new SimplePeer<>(
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

    /** Returns JWE in its compact form: RSA-2048 OAEP with SHA-256, AES-256-GCM. */
    static SimplePeer<String> jose4j() throws GeneralSecurityException {
        KeyPair pair = Peers.rsaKeys();
        return new SimplePeer<>(
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

    /** Returns Tink's envelope encryption, under an AES-256-GCM key in memory where a key service would be. */
    static SimplePeer<byte[]> tinkEnvelope() throws GeneralSecurityException {
        AeadConfig.register();
        Aead aead = KmsEnvelopeAead.create(PredefinedAeadParameters.AES256_GCM, TinkPeer.newAead(TinkPeer.newKey()));
        return new SimplePeer<>(payload -> aead.encrypt(payload, CONTEXT), message -> aead.decrypt(message, CONTEXT));
    }

    /** Returns Tink's HPKE: X25519 and AES-128-GCM, the predefined parameters, for one recipient. */
    static SimplePeer<byte[]> tinkHpke() throws GeneralSecurityException {
        HybridConfig.register();
        KeysetHandle key = KeysetHandle.generateNew(
                PredefinedHybridParameters.HPKE_X25519_HKDF_SHA256_AES_128_GCM, RegistryConfiguration.get());
        HybridEncrypt recipient =
                key.getPublicKeysetHandle().getPrimitive(RegistryConfiguration.get(), HybridEncrypt.class);
        HybridDecrypt own = key.getPrimitive(RegistryConfiguration.get(), HybridDecrypt.class);
        return new SimplePeer<>(
                payload -> recipient.encrypt(payload, CONTEXT), message -> own.decrypt(message, CONTEXT));
    }
}
