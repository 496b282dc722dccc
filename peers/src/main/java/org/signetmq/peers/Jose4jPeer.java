/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import org.jose4j.jwe.ContentEncryptionAlgorithmIdentifiers;
import org.jose4j.jwe.JsonWebEncryption;
import org.jose4j.jwe.KeyManagementAlgorithmIdentifiers;
import org.jose4j.lang.JoseException;

/** JWE in its compact form: RSA-2048 OAEP with SHA-256, AES-256-GCM; a key per message, nothing remembered. */
final class Jose4jPeer implements Peer<String> {
    private final KeyPair pair;

    Jose4jPeer() throws GeneralSecurityException {
        pair = RsaKeys.generate();
    }

    @Override
    public String seal(byte[] payload) throws JoseException {
        JsonWebEncryption jwe = new JsonWebEncryption();
        jwe.setAlgorithmHeaderValue(KeyManagementAlgorithmIdentifiers.RSA_OAEP_256);
        jwe.setEncryptionMethodHeaderParameter(ContentEncryptionAlgorithmIdentifiers.AES_256_GCM);
        jwe.setKey(pair.getPublic());
        jwe.setPlaintext(payload);
        return jwe.getCompactSerialization();
    }

    @Override
    public byte[] open(String sealed) throws JoseException {
        JsonWebEncryption jwe = new JsonWebEncryption();
        jwe.setKey(pair.getPrivate());
        jwe.setCompactSerialization(sealed);
        return jwe.getPlaintextBytes();
    }
}
