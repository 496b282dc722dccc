/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A private key of a token after a login. Immutable.
 *
 * @param provider computes in the token
 * @param key a handle of the key; its value is in the token
 * @param chain the certificates in the token or the home: that of the key first, then its issuers
 */
record OpenedKey(Provider provider, PrivateKey key, List<X509Certificate> chain) {
    /** Returns the certificate of the key. */
    X509Certificate certificate() {
        return chain.get(0);
    }

    /** Returns the public key of the pair. */
    PublicKey publicKey() {
        return certificate().getPublicKey();
    }
}
