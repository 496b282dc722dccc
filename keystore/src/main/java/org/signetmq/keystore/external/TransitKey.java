/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.external;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.external.TransitService.RefusedException;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.KeyTransport;

/**
 * One version of a key in Transit, which it never leaves. It checks each signature by its own public key: a key that
 * was deleted and made again has the same name and version. Thread-safe.
 */
final class TransitKey implements PrivateKeyOperations {
    private static final byte[] PROOF = "Signet proves a key".getBytes(StandardCharsets.US_ASCII);
    private static final String PROOF_DIGEST = "SHA-256";
    private static final CryptoProviders SOFTWARE = CryptoProviders.jdk();
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final Pattern SIGNATURE = Pattern.compile("[a-z]{1,20}:v([0-9]{1,9}):([A-Za-z0-9+/=]{1,2000})");
    private static final int LONGEST_KEY = 1024;

    private final TransitUri uri;
    private final TransitService service;
    private final int version;
    private final PublicKey publicKey;
    private volatile boolean isKnownToWork;
    private volatile long lastSuccess;

    TransitKey(TransitUri uri, TransitService service, int version, PublicKey publicKey) {
        this.uri = uri;
        this.service = service;
        this.version = version;
        this.publicKey = publicKey;
    }

    int version() {
        return version;
    }

    PublicKey publicKey() {
        return publicKey;
    }

    @Override
    public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
        SignatureScheme natural = SignatureScheme.of(publicKey).orElse(null);
        if (scheme != natural && !(natural == SignatureScheme.RSA && scheme == SignatureScheme.RSA_PSS)) {
            throw new KeystoreUnusableException(
                    "private key: its kind is " + publicKey.getAlgorithm() + ", so it cannot sign with " + scheme);
        }
        try {
            return observed(signed(scheme, digest, bytes));
        } catch (RefusedException e) {
            throw failed(refused("sign", e), e);
        } catch (KeystoreUnusableException e) {
            isKnownToWork = false;
            throw e;
        }
    }

    private byte[] signed(SignatureScheme scheme, String digest, byte[] bytes) throws RefusedException {
        ObjectNode body = TransitService.MAPPER.createObjectNode();
        body.put("key_version", version);
        boolean hashes = scheme != SignatureScheme.ED25519;
        body.put("input", base64(hashes ? CryptoProviders.digest(digest).digest(bytes) : bytes));
        if (hashes) {
            body.put("prehashed", true);
            body.put("hash_algorithm", "sha2-" + digest.substring("SHA-".length()));
        }
        switch (scheme) {
            case RSA -> body.put("signature_algorithm", "pkcs1v15");
            case RSA_PSS -> body.put("signature_algorithm", "pss").put("salt_length", "hash");
            default -> body.put("marshaling_algorithm", "asn1");
        }
        Matcher found = SIGNATURE.matcher(call("sign", body).path("signature").asText(""));
        if (!found.matches() || Integer.parseInt(found.group(1)) != version) {
            throw service.unusable("its answer has no signature of version " + version + " of the key", null);
        }
        byte[] signature = decoded(found.group(2));
        if (!isRight(signature, scheme, digest, bytes)) {
            throw another(null);
        }
        return signature;
    }

    private boolean isRight(byte[] signature, SignatureScheme scheme, String digest, byte[] bytes) {
        try {
            Signature verifying = SOFTWARE.verifying(scheme, digest, publicKey);
            verifying.update(bytes);
            return verifying.verify(signature);
        } catch (GeneralSecurityException malformed) {
            return false;
        }
    }

    /** Transit decrypts RSAES-OAEP with SHA-256 alone, which Signet writes. */
    @Override
    public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
        if (!(publicKey instanceof RSAPublicKey rsa)
                || padding != KeyTransportPadding.OAEP_SHA_256
                || wrapped.length != (rsa.getModulus().bitLength() + 7) / Byte.SIZE) {
            return null;
        }
        try {
            return observed(decrypted(wrapped));
        } catch (RefusedException e) {
            isKnownToWork = false;
            if (!e.isForbidden() && decryptsProof(rsa)) {
                observed(PROOF);
                return null; // the bytes are at fault, which a sender chose
            }
            throw failed(refused("decrypt", e), e);
        } catch (KeystoreUnusableException e) {
            isKnownToWork = false;
            throw e;
        }
    }

    private byte[] decrypted(byte[] wrapped) throws RefusedException {
        ObjectNode body = TransitService.MAPPER.createObjectNode();
        body.put("ciphertext", "vault:v" + version + ":" + base64(wrapped));
        JsonNode plaintext = call("decrypt", body).path("plaintext");
        if (!plaintext.isTextual() || plaintext.textValue().length() > LONGEST_KEY) {
            throw service.unusable("its answer has no decrypted key", null);
        }
        return decoded(plaintext.textValue()); // may be empty: a sender encrypts what it likes
    }

    /** Returns whether the service decrypts a key that this object has encrypted. */
    private boolean decryptsProof(RSAPublicKey rsa) {
        byte[] secret = new byte[DataKey.LENGTH];
        SOFTWARE.random().nextBytes(secret);
        try {
            byte[] wrapped = new KeyTransport(SOFTWARE).wrap(rsa, DataKey.takeOwnershipOf(secret.clone()));
            return Arrays.equals(decrypted(wrapped), secret);
        } catch (RefusedException e) {
            throw failed(refused("decrypt", e), e);
        }
    }

    @Override
    public byte @Nullable [] agree(PublicKey other) {
        if (publicKey instanceof ECPublicKey) {
            throw new KeystoreUnusableException(uri.inWords()
                    + ": Transit has no ECDH, so an EC key there signs and opens no message; give the recipient an RSA"
                    + " key");
        }
        return null;
    }

    /** Checks the key by an operation, if none of the last half minute shows that it works. */
    @Override
    public void requireUsable() {
        if (isKnownToWork && System.nanoTime() - lastSuccess < CHECK_NANOS) {
            return;
        }
        SignatureScheme scheme = SignatureScheme.of(publicKey).orElseThrow();
        try {
            observed(signed(scheme, PROOF_DIGEST, PROOF));
        } catch (RefusedException e) {
            boolean mayOnlyDecrypt = e.isForbidden() && publicKey instanceof RSAPublicKey rsa && decryptsProof(rsa);
            if (!mayOnlyDecrypt) {
                throw failed(refused("sign", e), e);
            }
            observed(PROOF);
        } catch (KeystoreUnusableException e) {
            isKnownToWork = false;
            throw e;
        }
    }

    private JsonNode call(String operation, ObjectNode body) throws RefusedException {
        return service.call(uri.mount() + "/" + operation + "/" + uri.key(), body);
    }

    private byte[] observed(byte[] result) {
        lastSuccess = System.nanoTime();
        isKnownToWork = true;
        return result;
    }

    private String refused(String operation, RefusedException e) {
        String text = "it does not " + operation + ": " + e.getMessage();
        return e.isForbidden()
                ? text + "; check the login, and that its policy has update on " + uri.mount() + "/" + operation + "/"
                        + uri.key()
                : text;
    }

    private KeystoreUnusableException another(@Nullable Throwable cause) {
        return service.unusable(
                "it has another private key than that of the certificate; was the key deleted and made again?", cause);
    }

    private KeystoreUnusableException failed(String text, Throwable cause) {
        isKnownToWork = false;
        return service.unusable(text, cause);
    }

    private byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw service.unusable("its answer is not base 64", null);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Returns the kind of the key. */
    @Override
    public String toString() {
        return "TransitKey[" + publicKey.getAlgorithm().toUpperCase(Locale.ROOT) + ", version " + version + "]";
    }
}
