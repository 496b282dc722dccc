/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.crypto.KeyAgreement;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.crypto.CryptoProviders;

/**
 * Proves by one operation that a token holds the private key of a certificate, and that the key works now. One object
 * serves one login. It remembers proven entries, not public keys, because two entries of one public key may have
 * different private keys. Thread-safe.
 */
final class TokenProof {
    private static final byte[] TEXT = "Signet proves a key".getBytes(US_ASCII);
    private static final String DIGEST = "SHA-256";

    /** The problem of an entry with the private key of another certificate. */
    static final String NOT_ITS_KEY = "is not the key of the certificate with its id";

    private static final CryptoProviders SOFTWARE = CryptoProviders.jdk();

    private final Set<OpenedKey.Entry> proven = ConcurrentHashMap.newKeySet();

    /**
     * Returns the keys that the token has. An unfit one beside the current one must not disturb the others. After a
     * failure the current key shows whether the token works.
     *
     * @param problem makes the problem of a key from a text about it
     * @throws KeystoreUnusableException if the current key is not that of its certificate
     * @throws GeneralSecurityException if the token fails
     */
    TokenKeys of(KeyChoice.Candidates found, Function<String, KeystoreUnusableException> problem)
            throws GeneralSecurityException {
        List<String> problems = new ArrayList<>(found.problems());
        List<OpenedKey> refused = new ArrayList<>();
        OpenedKey current = first(found.keys().get(0), refused).orElseThrow(() -> problem.apply(NOT_ITS_KEY));
        List<OpenedKey> keys = new ArrayList<>(List.of(current));
        Set<PublicKeyInfo> failed = new HashSet<>(found.failed());
        for (List<OpenedKey> entries : found.keys().subList(1, found.keys().size())) {
            try {
                first(entries, refused).ifPresent(keys::add);
            } catch (GeneralSecurityException | RuntimeException e) {
                failed.add(entries.get(0).info());
                problems.add(String.valueOf(
                        problem.apply("cannot be used (" + TokenFailure.of(e).code() + "), or " + NOT_ITS_KEY)
                                .getMessage()));
            }
        }
        if (!failed.isEmpty() && !holds(current)) {
            throw new InvalidKeyException("the current key does not work any more");
        }
        refused.forEach(
                key -> problems.add(String.valueOf(problem.apply(NOT_ITS_KEY).getMessage())));
        keys.forEach(key -> failed.remove(key.info())); // another entry of it works
        return new TokenKeys(keys, problems, failed);
    }

    /**
     * Returns the first entry that has the private key of its certificate; empty if none has it.
     *
     * @param entries those of one public key
     * @param refused takes the entries before the first one that have another key
     * @throws GeneralSecurityException if no entry has the key, and a proof failed
     */
    Optional<OpenedKey> first(List<OpenedKey> entries, List<OpenedKey> refused) throws GeneralSecurityException {
        Exception failure = null;
        for (OpenedKey key : entries) {
            try {
                if (isProven(key)) {
                    return Optional.of(key);
                }
                refused.add(key);
            } catch (GeneralSecurityException | RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw TokenFailure.again(failure);
        }
        return Optional.empty();
    }

    private boolean isProven(OpenedKey key) throws GeneralSecurityException {
        if (proven.contains(key.entry())) {
            return true;
        }
        if (!holds(key)) {
            return false;
        }
        proven.add(key.entry());
        return true;
    }

    /** Returns whether the key is that of the certificate. A key that may only sign proves it by a signature. */
    static boolean holds(OpenedKey opened) throws GeneralSecurityException {
        try {
            return opened.publicKey() instanceof RSAPublicKey rsa ? decrypts(opened, rsa) : agrees(opened);
        } catch (GeneralSecurityException | ProviderException e) {
            if (TokenFailure.of(e).kind() != TokenFailure.Kind.NOT_PERMITTED) {
                throw e;
            }
            return signs(opened);
        }
    }

    private static boolean decrypts(OpenedKey opened, RSAPublicKey key) throws GeneralSecurityException {
        byte[] block = new byte[TokenOperations.modulusLength(key)];
        new SecureRandom().nextBytes(block);
        block[0] = 0; // smaller than the modulus
        BigInteger encrypted = new BigInteger(1, block).modPow(key.getPublicExponent(), key.getModulus());
        byte[] unsigned = encrypted.toByteArray();
        byte[] sent = new byte[block.length];
        int length = Math.min(unsigned.length, sent.length);
        System.arraycopy(unsigned, unsigned.length - length, sent, sent.length - length, length);
        return Arrays.equals(TokenOperations.decrypt(opened, sent), block);
    }

    private static boolean agrees(OpenedKey opened) throws GeneralSecurityException {
        if (!(opened.publicKey() instanceof ECPublicKey key)) {
            return false;
        }
        KeyPairGenerator generator = SOFTWARE.ecKeyPairs();
        generator.initialize(key.getParams());
        KeyPair other = generator.generateKeyPair();
        KeyAgreement agreement = SOFTWARE.ecdh();
        agreement.init(other.getPrivate());
        agreement.doPhase(key, true);
        byte[] expected = agreement.generateSecret();
        byte[] found = TokenOperations.agree(opened, (ECPublicKey) other.getPublic());
        boolean same = Arrays.equals(found, expected);
        Arrays.fill(expected, (byte) 0);
        Arrays.fill(found, (byte) 0);
        return same;
    }

    private static boolean signs(OpenedKey opened) throws GeneralSecurityException {
        SignatureScheme scheme = SignatureScheme.of(opened.publicKey()).orElseThrow();
        byte[] signed = TokenOperations.sign(opened, scheme, DIGEST, TEXT);
        Signature verifying = SOFTWARE.verifying(scheme, DIGEST, opened.publicKey());
        verifying.update(TEXT);
        return verifying.verify(signed);
    }
}
