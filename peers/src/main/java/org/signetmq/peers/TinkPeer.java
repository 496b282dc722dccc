/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Tink with data keys used several times. Its user must do that: a keyset of AES-256-GCM is encrypted under a key in
 * memory, in place of a key service.
 */
final class TinkPeer implements Peer<TinkPeer.Message> {
    record Message(ByteBuffer wrappedKey, byte[] ciphertext) {}

    private static final byte[] ASSOCIATED = "orders.eu".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};

    private final Aead master;
    private final BooleanSupplier newKey;
    private final Map<ByteBuffer, Aead> opened = new HashMap<>();
    private ByteBuffer wrapped = ByteBuffer.wrap(NOTHING);
    private Aead current;

    TinkPeer(long reuse) throws GeneralSecurityException {
        AeadConfig.register();
        master = newAead(newKey());
        current = master;
        newKey = Peers.everyTime(reuse);
    }

    static KeysetHandle newKey() throws GeneralSecurityException {
        return KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, RegistryConfiguration.get());
    }

    static Aead newAead(KeysetHandle key) throws GeneralSecurityException {
        return key.getPrimitive(RegistryConfiguration.get(), Aead.class);
    }

    @Override
    public Message seal(byte[] payload) throws GeneralSecurityException {
        if (newKey.getAsBoolean()) {
            KeysetHandle key = newKey();
            current = newAead(key);
            wrapped = ByteBuffer.wrap(
                    TinkProtoKeysetFormat.serializeEncryptedKeyset(key, master, NOTHING, RegistryConfiguration.get()));
        }
        return new Message(wrapped, current.encrypt(payload, ASSOCIATED));
    }

    @Override
    public byte[] open(Message sealed) throws GeneralSecurityException {
        Aead key = opened.get(sealed.wrappedKey());
        if (key == null) {
            key = newAead(TinkProtoKeysetFormat.parseEncryptedKeyset(
                    sealed.wrappedKey().array(), master, NOTHING, RegistryConfiguration.get()));
            opened.put(sealed.wrappedKey(), key);
        }
        return key.decrypt(sealed.ciphertext(), ASSOCIATED);
    }
}
