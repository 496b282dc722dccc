/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;

/**
 * A private key in a token, which it never leaves. After a failure it proves itself. If the proof fails, too, it opens
 * the token anew. Then it runs the operation once more. It opens the token at most every two seconds; between them all
 * operations fail at once with the last reason. Thread-safe.
 */
final class TokenKey implements PrivateKeyOperations {
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final TokenUri uri;
    private final TokenCalls calls;
    private final UnaryOperator<OpenedKey> opening;
    private final PublicKey publicKey;
    private volatile @Nullable OpenedKey current;
    private volatile long lastSuccess = System.nanoTime();
    private long lastOpening = System.nanoTime() - RETRY_NANOS; // guarded by this, as the problem
    private String problem = "";
    private OpenedKey last;

    /** An operation in the token. */
    @FunctionalInterface
    interface Operation<T> {
        T apply(OpenedKey opened) throws GeneralSecurityException;
    }

    /**
     * Creates the operations of a key.
     *
     * @param opening opens the token and finds the same key again, from the key that works no more. It throws
     *     {@link KeystoreUnusableException} if the token is not there, or does not have this key.
     */
    TokenKey(TokenUri uri, TokenCalls calls, UnaryOperator<OpenedKey> opening, OpenedKey first) {
        this.uri = uri;
        this.calls = calls;
        this.opening = opening;
        this.publicKey = first.publicKey();
        this.current = first;
        this.last = first;
    }

    @Override
    public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
        SignatureScheme natural = SignatureScheme.of(publicKey).orElse(null);
        if (scheme != natural && !(natural == SignatureScheme.RSA && scheme == SignatureScheme.RSA_PSS)) {
            throw new KeystoreUnusableException(
                    "private key: its kind is " + publicKey.getAlgorithm() + ", so it cannot sign with " + scheme);
        }
        byte[] signed = bytes.clone(); // a call that takes too long goes on without its caller
        return call(opened -> opened.sign(scheme, digest, signed))
                .orElseThrow(() -> new KeystoreUnusableException(
                        "private key: its token does not sign with " + scheme + " and " + digest));
    }

    @Override
    public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
        if (!(publicKey instanceof RSAPublicKey rsa) || !OpenedKey.isCiphertext(wrapped, rsa)) {
            return null;
        }
        byte[] block = wrapped.clone();
        byte[] padded = call(opened -> opened.decrypt(block)).orElse(null);
        if (padded == null) {
            return null;
        }
        byte[] key = RsaPadding.remove(padding, padded);
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
        return call(opened -> opened.agree(theirs)).orElse(null);
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

    /** Checks the token, if no operation of the last seconds shows that it works. */
    @Override
    public void requireUsable() {
        boolean isKnownToWork = current != null && System.nanoTime() - lastSuccess < CHECK_NANOS;
        if (!isKnownToWork && !call(OpenedKey::proves).orElse(false)) {
            throw new KeystoreUnusableException(uri.tokenInWords() + ": it computes with another key than before");
        }
    }

    /**
     * Returns the result of an operation. It is empty if the token rejects the input, but computes with the key. A
     * sender may have chosen that input, so this class does not open the token anew then.
     *
     * @throws KeystoreUnusableException if the key may not do it, or the token cannot be used now
     */
    <T> Optional<T> call(Operation<T> operation) {
        return calls.call(() -> attempt(operation));
    }

    private <T> Optional<T> attempt(Operation<T> operation) {
        OpenedKey now = current;
        OpenedKey key = now == null ? reopened(null, "it is not there") : now;
        try {
            return succeeded(operation.apply(key));
        } catch (GeneralSecurityException | RuntimeException e) {
            TokenFailure failure = TokenFailure.of(e);
            return switch (failure.kind()) {
                case INPUT -> Optional.empty();
                case NOT_PERMITTED ->
                    throw new KeystoreUnusableException(
                            uri.tokenInWords()
                                    + ": the token refuses this operation for the key, or does not support it ("
                                    + failure.code() + "); check the usage of the key in the token",
                            e);
                case PIN, GONE -> again(operation, isWorking(key) ? key : reopened(key, inWords(failure)));
            };
        }
    }

    private <T> Optional<T> again(Operation<T> operation, OpenedKey key) {
        try {
            return succeeded(operation.apply(key));
        } catch (GeneralSecurityException | RuntimeException e) {
            if (isWorking(key)) {
                return Optional.empty();
            }
            throw new KeystoreUnusableException(uri.tokenInWords() + ": " + inWords(TokenFailure.of(e)), e);
        }
    }

    private static boolean isWorking(OpenedKey key) {
        try {
            return key.proves();
        } catch (GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }

    private static String inWords(TokenFailure failure) {
        return "it failed (" + failure.code() + "); if it was pulled out, put it back: Signet opens it by itself";
    }

    private <T> Optional<T> succeeded(T result) {
        lastSuccess = System.nanoTime();
        return Optional.of(result);
    }

    @SuppressWarnings("ReferenceEquality") // a key of another login is another one
    private synchronized OpenedKey reopened(@Nullable OpenedKey failed, String reason) {
        OpenedKey now = current;
        if (now != null && now != failed) {
            return now; // another thread has opened it
        }
        if (System.nanoTime() - lastOpening < RETRY_NANOS) {
            throw new KeystoreUnusableException(problem.isEmpty() ? uri.tokenInWords() + ": " + reason : problem);
        }
        current = null; // its handles may mean other keys when the token is back
        try {
            last = opening.apply(last);
            current = last;
            problem = "";
            return last;
        } catch (KeystoreUnusableException e) {
            problem = String.valueOf(e.getMessage());
            throw e;
        } finally {
            lastOpening = System.nanoTime();
        }
    }

    /** Returns the kind of the key. */
    @Override
    public String toString() {
        return "TokenKey[" + publicKey.getAlgorithm() + "]";
    }
}
