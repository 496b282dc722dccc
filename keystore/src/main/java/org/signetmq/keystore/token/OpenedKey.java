/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.signetmq.keystore.PublicKeyInfo;

/**
 * A private key of a token after a login. Immutable.
 *
 * @param provider computes in the token
 * @param key a handle of the key; its value is in the token
 * @param chain the certificates in the token or the home: that of the key first, then its issuers
 * @param entry the place of the key in the token
 */
record OpenedKey(Provider provider, PrivateKey key, List<X509Certificate> chain, Entry entry) {
    /**
     * The place of a key in a token. Several entries may have certificates of the same public key.
     *
     * @param alias names it in a listing
     * @param certificate the one in the token, which the home may replace by another one of the same key
     */
    record Entry(String alias, X509Certificate certificate) {}

    /** Returns the certificate of the key. */
    X509Certificate certificate() {
        return chain.get(0);
    }

    /** Returns the encoded public key of the pair. */
    PublicKeyInfo info() {
        return PublicKeyInfo.of(certificate());
    }

    /** Returns the public key of the pair. */
    PublicKey publicKey() {
        return certificate().getPublicKey();
    }
}
