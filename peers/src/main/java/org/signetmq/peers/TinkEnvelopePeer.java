/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.KmsEnvelopeAead;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/** Tink's envelope encryption: a key per message, under an AES-256-GCM key in memory where a key service would be. */
final class TinkEnvelopePeer implements Peer<byte[]> {
    private static final byte[] ASSOCIATED = "orders.eu".getBytes(StandardCharsets.US_ASCII);

    private final Aead aead;

    TinkEnvelopePeer() throws GeneralSecurityException {
        AeadConfig.register();
        aead = KmsEnvelopeAead.create(PredefinedAeadParameters.AES256_GCM, TinkPeer.newAead(TinkPeer.newKey()));
    }

    @Override
    public byte[] seal(byte[] payload) throws GeneralSecurityException {
        return aead.encrypt(payload, ASSOCIATED);
    }

    @Override
    public byte[] open(byte[] sealed) throws GeneralSecurityException {
        return aead.decrypt(sealed, ASSOCIATED);
    }
}
