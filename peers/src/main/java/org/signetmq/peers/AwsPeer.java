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
import java.security.KeyPair;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The AWS Encryption SDK with its caching materials manager: RSA-2048 OAEP with SHA-256, committing AES-256-GCM. */
final class AwsPeer implements Peer<byte[]> {
    private static final Map<String, String> CONTEXT = Map.of("queue", "orders.eu");
    private static final long MOST_MESSAGES = 1L << 32;
    private static final int CACHED_KEYS = 100;

    private final AwsCrypto crypto = AwsCrypto.builder()
            .withCommitmentPolicy(CommitmentPolicy.RequireEncryptRequireDecrypt)
            .withEncryptionAlgorithm(CryptoAlgorithm.ALG_AES_256_GCM_HKDF_SHA512_COMMIT_KEY)
            .build();
    private final CryptoMaterialsManager sealing;
    private final CryptoMaterialsManager opening;

    AwsPeer(long reuse) throws Exception {
        KeyPair pair = RsaKeys.generate();
        JceMasterKey key = JceMasterKey.getInstance(
                pair.getPublic(), pair.getPrivate(), "signet", "recipient", "RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
        sealing = reuse <= 1 ? new DefaultCryptoMaterialsManager(key) : caching(key, reuse);
        opening = caching(key, MOST_MESSAGES);
    }

    private static CryptoMaterialsManager caching(JceMasterKey key, long reuse) {
        return CachingCryptoMaterialsManager.newBuilder()
                .withMasterKeyProvider(key)
                .withCache(new LocalCryptoMaterialsCache(CACHED_KEYS))
                .withMaxAge(1, TimeUnit.HOURS)
                .withMessageUseLimit(Math.min(reuse, MOST_MESSAGES))
                .build();
    }

    @Override
    public byte[] seal(byte[] payload) {
        return crypto.encryptData(sealing, payload, CONTEXT).getResult();
    }

    @Override
    public byte[] open(byte[] sealed) {
        return crypto.decryptData(opening, sealed).getResult();
    }
}
