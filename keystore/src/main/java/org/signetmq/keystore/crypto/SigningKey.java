/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.RSAKey;
import java.security.spec.PSSParameterSpec;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.SignatureScheme;

/**
 * The signing half of an identity. Keeps prepared primitives, so that a signature costs the mathematics. Thread-safe.
 */
public final class SigningKey {
    private static final String DIGEST = "SHA-512";

    private final String name;
    private final SignatureScheme scheme;
    private final PrivateKey key;
    private final int mostSignatureLength;
    private final ConcurrentLinkedQueue<Signature> prepared = new ConcurrentLinkedQueue<>();

    private SigningKey(Identity identity, SignatureScheme scheme, PrivateKey key) {
        this.name = identity.name();
        this.scheme = scheme;
        this.key = key;
        this.mostSignatureLength = mostSignatureLength(identity.privateKey());
    }

    /**
     * Signs as this identity, with SHA-512.
     *
     * @throws KeystoreUnusableException if its key cannot sign so
     */
    public static SigningKey of(Identity identity, SignatureScheme scheme) {
        try {
            PrivateKey key = CryptoProviders.standard().forSigning(identity.privateKey(), scheme.primitive(DIGEST));
            return new SigningKey(identity, scheme, key);
        } catch (GeneralSecurityException unusable) {
            throw unusable(identity.name(), scheme, unusable);
        }
    }

    public SignatureScheme scheme() {
        return scheme;
    }

    /** How long a signature is at most, in bytes. */
    public int mostSignatureLength() {
        return mostSignatureLength;
    }

    private static int mostSignatureLength(PrivateKey key) {
        if (key instanceof RSAKey rsa) {
            return (rsa.getModulus().bitLength() + Byte.SIZE - 1) / Byte.SIZE;
        }
        return 144; // two numbers of P-521 with their frames; those of other curves and Ed25519 are shorter
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
        Signature signature = CryptoProviders.standard().signing(scheme.primitive(DIGEST));
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
