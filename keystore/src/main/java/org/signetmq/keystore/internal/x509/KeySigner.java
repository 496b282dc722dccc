/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.security.PublicKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;

/** Signs one certificate or request, wherever the private key is kept. Not thread-safe. */
final class KeySigner implements ContentSigner {
    private static final String DIGEST = "SHA-512";

    private final SignatureScheme scheme;
    private final PrivateKeyOperations key;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    KeySigner(PublicKey publicKey, PrivateKeyOperations key) {
        this.scheme = SignatureScheme.of(publicKey)
                .orElseThrow(() ->
                        new KeystoreUnusableException("key: an " + publicKey.getAlgorithm() + " key cannot sign"));
        this.key = key;
    }

    @Override
    public AlgorithmIdentifier getAlgorithmIdentifier() {
        return new DefaultSignatureAlgorithmIdentifierFinder().find(scheme.primitive(DIGEST));
    }

    @Override
    public OutputStream getOutputStream() {
        return content;
    }

    @Override
    public byte[] getSignature() {
        return key.sign(scheme, DIGEST, content.toByteArray());
    }
}
