/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.token.KeyChoice.Token;
import org.signetmq.keystore.token.KeyChoice.TokenKeys;

/**
 * Finds the token of a URI, logs in and finds the keys of an identity. It never sends a PIN again that the token
 * refused, because tokens lock after some wrong ones. Thread-safe.
 */
final class TokenLogin {
    private static final long PATIENCE_SECONDS = 2;

    private final TokenUri uri;
    private final Supplier<Password> pins;
    private final Tokens tokens;
    private final ReentrantLock refreshing = new ReentrantLock();

    /** Written under the monitor. A thread holds the monitor for a login, and never for a listing or a proof. */
    private volatile @Nullable Token session;

    /** Two threads may make it at the same time; then the later one stays. */
    private volatile @Nullable TokenListing listing;

    /** The certificates that a listing made for them did not have. */
    private final Set<X509Certificate> unlisted = ConcurrentHashMap.newKeySet();

    /** Makes the provider of a token, without a login. */
    @FunctionalInterface
    interface Tokens {
        TokenProvider of(Path module, int slot);
    }

    /**
     * The last PIN that each token refused in this process, as a salted digest. None is sent twice, however often an
     * application opens the token.
     */
    private static final class RefusedPins {
        private static final byte[] SALT = new byte[32];
        private static final Map<String, byte[]> DIGESTS = new ConcurrentHashMap<>();

        static {
            new SecureRandom().nextBytes(SALT);
        }

        private static byte[] digest(char[] ascii) {
            MessageDigest digest = CryptoProviders.digest("SHA-256");
            digest.update(SALT);
            for (char character : ascii) {
                digest.update((byte) character);
            }
            return digest.digest();
        }
    }

    TokenLogin(TokenUri uri, Supplier<Password> pins) {
        this(uri, pins, TokenProvider::of);
    }

    TokenLogin(TokenUri uri, Supplier<Password> pins, Tokens tokens) {
        this.uri = uri;
        this.pins = pins;
        this.tokens = tokens;
    }

    /**
     * Logs in and returns the keys of an identity.
     *
     * @param name the name of the identity
     * @param rule chooses the current key
     * @throws KeystoreUnusableException if the token is not there, refuses the PIN, or has no such key
     */
    TokenKeys open(String name, CurrentKeyRule rule) {
        synchronized (this) {
            session = null;
        }
        return using(name, rule, KeyChoice::from);
    }

    /**
     * Returns the keys as {@link #open} does, under the present login if there is one. No other method waits for it
     * while it lists and proves keys.
     *
     * @throws KeystoreUnusableException also if an earlier call has not ended
     */
    TokenKeys refreshed(String name, CurrentKeyRule rule) {
        boolean free = false;
        try { // another program part that uses the same token may be checking it
            free = refreshing.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!free) {
            throw new KeystoreUnusableException(
                    uri.tokenInWords() + ": it has not answered the last check of its keys; check the token");
        }
        try {
            return using(name, rule, KeyChoice::from);
        } finally {
            refreshing.unlock();
        }
    }

    /**
     * Finds a key again that works no more, by its public key alone. It logs in, unless another key has done so since.
     *
     * @param failed the key as it was
     * @throws KeystoreUnusableException if the token is not there, or does not have this key
     */
    OpenedKey reopen(String name, OpenedKey failed) {
        forgetLoginOf(failed.provider());
        return using(name, CurrentKeyRule.NONE, (choice, keys) -> choice.again(keys, failed));
    }

    /** A use of a listing under a login. */
    @FunctionalInterface
    private interface Use<T> {
        T of(KeyChoice choice, KeyStore keys) throws GeneralSecurityException;
    }

    /** Returns the result of a use under the present login, or a new one. It forgets the login if the token fails. */
    private <T> T using(String name, CurrentKeyRule rule, Use<T> use) {
        Token now = session;
        Token token = now == null ? login() : now;
        try {
            return use.of(
                    new KeyChoice(uri, name, rule, token), token.provider().list());
        } catch (KeystoreUnusableException told) { // the token works
            throw told;
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            forgetLoginOf(token.provider().provider());
            throw unusable("the private key with " + uri.keyInWords(name) + " cannot be used", e);
        }
    }

    @SuppressWarnings("ReferenceEquality") // two providers with the same properties are equal
    private synchronized void forgetLoginOf(Provider provider) {
        Token now = session;
        if (now != null && now.provider().provider() == provider) {
            session = null;
        }
    }

    /** Logs in, unless another thread has done so meanwhile. One thread at a time sends a PIN. */
    private synchronized Token login() {
        Token other = session;
        if (other != null) {
            return other;
        }
        listing = null;
        unlisted.clear();
        TokenProvider.requireModule(uri.module());
        int slot = uri.token().isPresent()
                ? listing().slotOf(uri.token().get(), uri.slot())
                : uri.slot().orElseThrow();
        TokenProvider provider = tokens.of(uri.module(), slot);
        login(provider, uri.module() + " " + slot + " " + uri.tokenInWords());
        Token now = new Token(provider, ConcurrentHashMap.newKeySet(), certificate -> idsOf(slot, certificate));
        session = now;
        return now;
    }

    private TokenListing listing() {
        TokenListing known = listing;
        if (known == null) {
            known = TokenListing.of(uri.module());
            listing = known;
        }
        return known;
    }

    /** Returns the ids of a certificate. It lists the token again, once, for one that came into it later. */
    private List<String> idsOf(int slot, X509Certificate certificate) {
        List<String> ids = listing().idsOf(slot, certificate);
        if (ids.isEmpty() && unlisted.add(certificate)) {
            listing = null;
            return listing().idsOf(slot, certificate);
        }
        return ids;
    }

    private void login(TokenProvider provider, String token) {
        char[] pin;
        try (Password given = uri.pinSource().map(Password::fromFile).orElseGet(pins)) {
            pin = given.copyOfCharacters();
        }
        try {
            requireAscii(pin);
            byte[] digest = RefusedPins.digest(pin);
            if (MessageDigest.isEqual(RefusedPins.DIGESTS.get(token), digest)) {
                throw wrongPin("CKR_PIN_INCORRECT", null);
            }
            try {
                provider.login(pin);
                RefusedPins.DIGESTS.remove(token);
            } catch (GeneralSecurityException | RuntimeException e) {
                TokenFailure failure = TokenFailure.of(e);
                if (failure.kind() == TokenFailure.Kind.PIN) {
                    RefusedPins.DIGESTS.put(token, digest);
                    throw wrongPin(failure.code(), e);
                }
                throw unusable("it cannot be opened", e);
            }
        } finally {
            Arrays.fill(pin, '\0');
        }
    }

    /** Rejects a PIN of other characters: Java hands the token one byte for each, which counts as a wrong PIN. */
    private void requireAscii(char[] pin) {
        for (char character : pin) {
            if (character > 0x7f) {
                throw new KeystoreUnusableException(uri.tokenInWords()
                        + ": the PIN has a character that is not ASCII, which Java would send wrongly."
                        + " Signet did not send it; give the token a PIN of ASCII characters");
            }
        }
    }

    private KeystoreUnusableException wrongPin(String code, @Nullable Throwable cause) {
        return new KeystoreUnusableException(
                uri.tokenInWords() + ": it does not accept the PIN (" + code
                        + "). Signet does not try this PIN again, because wrong ones lock a token; correct "
                        + uri.pinSource().map(file -> "the file " + file).orElse("it")
                        + ". If this PIN is right after all, start the program again",
                cause);
    }

    private KeystoreUnusableException unusable(String what, Throwable cause) {
        return new KeystoreUnusableException(
                uri.tokenInWords() + ": " + what + " (" + TokenFailure.of(cause).code()
                        + "); check that the token is there and initialised",
                cause);
    }
}
