/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import com.google.crypto.tink.HybridDecrypt;
import com.google.crypto.tink.HybridEncrypt;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.hybrid.HybridConfig;
import com.google.crypto.tink.hybrid.PredefinedHybridParameters;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/** Tink's HPKE: X25519 and AES-128-GCM, the predefined parameters, for one recipient. */
final class TinkHpkePeer implements Peer<byte[]> {
    private static final byte[] CONTEXT = "orders.eu".getBytes(StandardCharsets.US_ASCII);

    private final HybridEncrypt sealing;
    private final HybridDecrypt opening;

    TinkHpkePeer() throws GeneralSecurityException {
        HybridConfig.register();
        KeysetHandle key = KeysetHandle.generateNew(
                PredefinedHybridParameters.HPKE_X25519_HKDF_SHA256_AES_128_GCM, RegistryConfiguration.get());
        sealing = key.getPublicKeysetHandle().getPrimitive(RegistryConfiguration.get(), HybridEncrypt.class);
        opening = key.getPrimitive(RegistryConfiguration.get(), HybridDecrypt.class);
    }

    @Override
    public byte[] seal(byte[] payload) throws GeneralSecurityException {
        return sealing.encrypt(payload, CONTEXT);
    }

    @Override
    public byte[] open(byte[] sealed) throws GeneralSecurityException {
        return opening.decrypt(sealed, CONTEXT);
    }
}
