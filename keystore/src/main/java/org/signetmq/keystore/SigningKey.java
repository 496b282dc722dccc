/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PSSParameterSpec;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The signing half of an identity. Keeps prepared primitives, so that a signature costs the mathematics. Thread-safe.
 */
public final class SigningKey {
    private static final String DIGEST = "SHA-512";

    private final String name;
    private final SignatureScheme scheme;
    private final PrivateKey key;
    private final ConcurrentLinkedQueue<Signature> prepared = new ConcurrentLinkedQueue<>();

    private SigningKey(String name, SignatureScheme scheme, PrivateKey key) {
        this.name = name;
        this.scheme = scheme;
        this.key = key;
    }

    /**
     * Signs as this identity, with SHA-512.
     *
     * @throws KeystoreUnusableException if its key cannot sign so
     */
    public static SigningKey of(Identity identity, SignatureScheme scheme) {
        try {
            PrivateKey key = CryptoProviders.standard().forSigning(identity.privateKey(), scheme.primitive(DIGEST));
            return new SigningKey(identity.name(), scheme, key);
        } catch (GeneralSecurityException unusable) {
            throw unusable(identity.name(), scheme, unusable);
        }
    }

    public SignatureScheme scheme() {
        return scheme;
    }

    /** How long a signature is at most, in bytes. */
    public int mostSignatureLength() {
        return scheme == SignatureScheme.RSA || scheme == SignatureScheme.RSA_PSS ? 512 : 144; // RSA-4096, P-521
    }

    /** The signature of these bytes. */
    public byte[] sign(byte[] bytes) {
        try {
            Signature signature = prepared.poll();
            if (signature == null) {
                signature = prepare();
            }
            signature.update(bytes);
            byte[] result = signature.sign();
            prepared.add(signature); // after success alone: what failed may hold half a message
            return result;
        } catch (GeneralSecurityException unusable) {
            throw unusable(name, scheme, unusable);
        }
    }

    private Signature prepare() throws GeneralSecurityException {
        Signature signature = CryptoProviders.standard().signature(scheme.primitive(DIGEST));
        PSSParameterSpec parameters = scheme.parameters(DIGEST);
        if (parameters != null) {
            signature.setParameter(parameters);
        }
        signature.initSign(key, CryptoProviders.standard().random());
        return signature;
    }

    private static KeystoreUnusableException unusable(
            String name, SignatureScheme scheme, GeneralSecurityException cause) {
        return new KeystoreUnusableException("identity '" + name + "': its key cannot sign with " + scheme, cause);
    }

    @Override
    public String toString() {
        return "SigningKey[" + name + ", " + scheme + "]";
    }
}
