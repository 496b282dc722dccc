/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.internal.crypto.OaepPadding;
import org.signetmq.keystore.internal.crypto.Pkcs1Padding;

/** A private key in a token, which it never leaves. Thread-safe. */
final class TokenKey implements PrivateKeyOperations {
    private final TokenConnection connection;
    private final PublicKey publicKey;

    TokenKey(TokenConnection connection, PublicKey publicKey) {
        this.connection = connection;
        this.publicKey = publicKey;
    }

    @Override
    public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
        SignatureScheme natural = SignatureScheme.of(publicKey).orElse(null);
        if (scheme != natural && !(natural == SignatureScheme.RSA && scheme == SignatureScheme.RSA_PSS)) {
            throw new KeystoreUnusableException(
                    "private key: its kind is " + publicKey.getAlgorithm() + ", so it cannot sign with " + scheme);
        }
        byte[] signed = bytes.clone(); // a call that takes too long goes on without its caller
        return connection
                .call(opened -> TokenOperations.sign(opened, scheme, digest, signed))
                .orElseThrow(() -> new KeystoreUnusableException(
                        "private key: its token does not sign with " + scheme + " and " + digest));
    }

    @Override
    public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
        if (!(publicKey instanceof RSAPublicKey rsa) || !TokenOperations.isCiphertext(wrapped, rsa)) {
            return null;
        }
        byte[] block = wrapped.clone();
        byte[] padded = connection
                .call(opened -> TokenOperations.decrypt(opened, block))
                .orElse(null);
        if (padded == null) {
            return null;
        }
        byte[] key = switch (padding) {
            case OAEP_SHA_256 -> OaepPadding.SHA_256.remove(padded);
            case OAEP_SHA_1 -> OaepPadding.SHA_1.remove(padded);
            case PKCS1 -> Pkcs1Padding.remove(padded);
        };
        Arrays.fill(padded, (byte) 0);
        return key;
    }

    @Override
    public byte @Nullable [] agree(PublicKey other) {
        if (!(publicKey instanceof ECPublicKey own)
                || !(other instanceof ECPublicKey theirs)
                || !isSameCurve(own.getParams(), theirs.getParams())) {
            return null;
        }
        return connection.call(opened -> TokenOperations.agree(opened, theirs)).orElse(null);
    }

    /** The providers' own comparison of curves also counts seeds, which do not matter. */
    private static boolean isSameCurve(ECParameterSpec one, ECParameterSpec other) {
        return one.getCurve().getField() instanceof ECFieldFp field
                && other.getCurve().getField() instanceof ECFieldFp otherField
                && field.getP().equals(otherField.getP())
                && one.getCurve().getA().equals(other.getCurve().getA())
                && one.getCurve().getB().equals(other.getCurve().getB())
                && one.getOrder().equals(other.getOrder());
    }

    @Override
    public void requireUsable() {
        connection.requireUsable();
    }

    /** Returns the kind of the key. */
    @Override
    public String toString() {
        return "TokenKey[" + publicKey.getAlgorithm() + "]";
    }
}
