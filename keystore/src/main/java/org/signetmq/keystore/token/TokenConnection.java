/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;

/**
 * Runs operations with a key of a token. After a failure it proves the key. If the proof fails, too, it opens the token
 * anew. Then it runs the operation once more. It opens the token at most every two seconds; between them all operations
 * fail at once with the last reason. Thread-safe.
 */
final class TokenConnection {
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final TokenUri uri;
    private final TokenCalls calls;
    private final Opening opening;
    private volatile @Nullable Login current;
    private volatile long lastSuccess = System.nanoTime();
    private long lastOpening = System.nanoTime() - RETRY_NANOS; // guarded by this, as the problem
    private String problem = "";
    private OpenedKey last;

    /** Opens the token and finds a key again. */
    @FunctionalInterface
    interface Opening {
        /**
         * Returns the same key.
         *
         * @param failed the key as it was before, which works no more
         * @throws KeystoreUnusableException if the token is not there, or does not have this key
         */
        OpenedKey open(OpenedKey failed);
    }

    /** An operation in the token. */
    @FunctionalInterface
    interface Operation<T> {
        T apply(OpenedKey opened) throws GeneralSecurityException;
    }

    /** A login. Two logins are never equal. */
    private static final class Login {
        private final OpenedKey opened;

        private Login(OpenedKey opened) {
            this.opened = opened;
        }
    }

    TokenConnection(TokenUri uri, TokenCalls calls, Opening opening, OpenedKey first) {
        this.uri = uri;
        this.calls = calls;
        this.opening = opening;
        this.current = new Login(first);
        this.last = first;
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

    /** Checks the token, if no operation of the last seconds shows that it works. */
    void requireUsable() {
        boolean isKnownToWork = current != null && System.nanoTime() - lastSuccess < CHECK_NANOS;
        if (!isKnownToWork && !call(TokenProof::holds).orElse(false)) {
            throw new KeystoreUnusableException(uri.tokenInWords() + ": it computes with another key than before");
        }
    }

    private <T> Optional<T> attempt(Operation<T> operation) {
        Login now = current;
        Login login = now == null ? reopened(null, "it is not there") : now;
        try {
            return succeeded(operation.apply(login.opened));
        } catch (GeneralSecurityException | RuntimeException e) {
            TokenFailure failure = TokenFailure.of(e);
            return switch (failure.kind()) {
                case INPUT -> Optional.empty();
                case NOT_PERMITTED -> throw notPermitted(failure, e);
                case PIN, GONE -> again(operation, isWorking(login) ? login : reopened(login, inWords(failure)));
            };
        }
    }

    private <T> Optional<T> again(Operation<T> operation, Login login) {
        try {
            return succeeded(operation.apply(login.opened));
        } catch (GeneralSecurityException | RuntimeException e) {
            if (isWorking(login)) {
                return Optional.empty();
            }
            throw new KeystoreUnusableException(uri.tokenInWords() + ": " + inWords(TokenFailure.of(e)), e);
        }
    }

    private static boolean isWorking(Login login) {
        try {
            return TokenProof.holds(login.opened);
        } catch (GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }

    private KeystoreUnusableException notPermitted(TokenFailure failure, Exception cause) {
        return new KeystoreUnusableException(
                uri.tokenInWords() + ": the token refuses this operation for the key, or does not support it ("
                        + failure.code() + "); check the usage of the key in the token",
                cause);
    }

    private static String inWords(TokenFailure failure) {
        return "it failed (" + failure.code() + "); if it was pulled out, put it back: Signet opens it by itself";
    }

    private <T> Optional<T> succeeded(T result) {
        lastSuccess = System.nanoTime();
        return Optional.of(result);
    }

    private synchronized Login reopened(@Nullable Login failed, String reason) {
        Login now = current;
        if (now != null && now != failed) {
            return now; // another thread has opened it
        }
        if (System.nanoTime() - lastOpening < RETRY_NANOS) {
            throw new KeystoreUnusableException(problem.isEmpty() ? uri.tokenInWords() + ": " + reason : problem);
        }
        current = null; // its handles may mean other keys when the token is back
        try {
            last = opening.open(last);
            Login login = new Login(last);
            current = login;
            problem = "";
            return login;
        } catch (KeystoreUnusableException e) {
            problem = String.valueOf(e.getMessage());
            throw e;
        } finally {
            lastOpening = System.nanoTime();
        }
    }
}
