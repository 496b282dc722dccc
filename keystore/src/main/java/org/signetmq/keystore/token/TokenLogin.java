/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.cert.Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Password;

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

    /** Written under the monitor. A thread holds the monitor for a login, and never for a later listing or a proof. */
    private volatile @Nullable Session session;

    /** Makes the provider of a token, without a login. */
    @FunctionalInterface
    interface Tokens {
        TokenProvider of(Path module, int slot);
    }

    /**
     * The time after a login.
     *
     * @param atLogin the keys as the login has listed them, for its first user; then null
     * @param proven proves keys by an operation, and remembers those that it has proved
     */
    private record Session(
            TokenProvider provider, ListedIds ids, AtomicReference<@Nullable KeyStore> atLogin, TokenProof proven) {}

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
        return found(loggedInAnew(), name, rule);
    }

    /**
     * Returns the keys as {@link #open} does, under the present login if there is one. No other method waits for it
     * while it lists and proves keys.
     *
     * @throws KeystoreUnusableException also if an earlier call has not ended
     */
    TokenKeys refreshed(String name, CurrentKeyRule rule) {
        if (!isFree()) {
            throw new KeystoreUnusableException(
                    uri.tokenInWords() + ": it has not answered the last check of its keys; check the token");
        }
        try {
            return found(loggedIn(), name, rule);
        } finally {
            refreshing.unlock();
        }
    }

    /** Waits a little for the check of another program part that uses the same token. */
    private boolean isFree() {
        try {
            return refreshing.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
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
        Session now = loggedIn();
        KeyStore keys = listed(now);
        return working(now, name, () -> {
            now.ids().refresh(keys);
            CurrentKeyRule none = new CurrentKeyRule(NamedCertificates.NONE, List.of(), Clock.systemUTC());
            KeyChoice choice = new KeyChoice(uri, name, none, now.ids());
            List<OpenedKey> entries = choice.again(keys, now.provider().provider(), failed);
            if (entries.isEmpty()) {
                throw choice.lost(keys);
            }
            return now.proven()
                    .first(entries, new ArrayList<>())
                    .orElseThrow(() -> keyProblem(name, TokenProof.NOT_ITS_KEY));
        });
    }

    /** Returns the failure of a token that has lost a key, and has another one of the same name. */
    KeystoreUnusableException anotherKey(String name) {
        return KeyChoice.anotherKey(uri, name);
    }

    private synchronized Session loggedInAnew() {
        session = null;
        return loggedIn();
    }

    /** Returns the present login. Without one it logs in; one thread at a time sends a PIN. */
    private Session loggedIn() {
        Session now = session;
        return now == null ? login() : now;
    }

    private synchronized Session login() {
        Session other = session;
        if (other != null) {
            return other; // another thread has logged in meanwhile
        }
        ListedIds ids = new ListedIds();
        TokenProvider.requireModule(uri.module());
        TokenProvider provider = tokens.of(uri.module(), ids.slot());
        KeyStore keys = login(provider, uri.module() + " " + ids.slot() + " " + uri.tokenInWords());
        Session now = new Session(provider, ids, new AtomicReference<>(keys), new TokenProof());
        session = now;
        return now;
    }

    @SuppressWarnings("ReferenceEquality") // two providers with the same properties are equal
    private synchronized void forgetLoginOf(Provider provider) {
        Session now = session;
        if (now != null && now.provider().provider() == provider) {
            session = null;
        }
    }

    private TokenKeys found(Session now, String name, CurrentKeyRule rule) {
        KeyStore keys = listed(now);
        return working(now, name, () -> {
            now.ids().refresh(keys);
            KeyChoice.Candidates found = new KeyChoice(uri, name, rule, now.ids())
                    .from(keys, now.provider().provider());
            return now.proven().of(found, what -> keyProblem(name, what));
        });
    }

    /** A use of a login. */
    @FunctionalInterface
    private interface Use<T> {
        T apply() throws GeneralSecurityException;
    }

    /** Returns the result of a use. It forgets the login if the token fails. */
    private <T> T working(Session now, String name, Use<T> use) {
        try {
            return use.apply();
        } catch (KeystoreUnusableException told) { // the token works
            throw told;
        } catch (GeneralSecurityException | RuntimeException e) {
            forgetLoginOf(now.provider().provider());
            throw unusable("the private key with " + uri.keyInWords(name) + " cannot be used", e);
        }
    }

    private KeystoreUnusableException keyProblem(String name, String what) {
        return new KeystoreUnusableException(
                uri.tokenInWords() + ": the private key with " + uri.keyInWords(name) + " " + what);
    }

    private KeyStore listed(Session now) {
        KeyStore atLogin = now.atLogin().getAndSet(null);
        if (atLogin != null) {
            return atLogin;
        }
        try {
            return now.provider().list();
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            forgetLoginOf(now.provider().provider());
            throw unusable("it cannot be listed", e);
        }
    }

    private KeyStore login(TokenProvider provider, String token) {
        char[] pin = pin();
        try {
            requireAscii(pin);
            if (RefusedPins.contains(token, pin)) {
                throw wrongPin("CKR_PIN_INCORRECT", null);
            }
            KeyStore keys = provider.login(pin);
            RefusedPins.clear(token);
            return keys;
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            if (e instanceof KeystoreUnusableException told) {
                throw told;
            }
            TokenFailure failure = TokenFailure.of(e);
            if (failure.kind() == TokenFailure.Kind.PIN) {
                RefusedPins.add(token, pin);
                throw wrongPin(failure.code(), e);
            }
            throw unusable("it cannot be opened", e);
        } finally {
            Arrays.fill(pin, '\0');
        }
    }

    private char[] pin() {
        try (Password given = uri.pinSource().map(Password::fromFile).orElseGet(pins)) {
            return given.copyOfCharacters();
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

    /**
     * The slot and the ids of certificates, from a listing that is kept. Two threads may make it at the same time; then
     * the later one stays.
     */
    private final class ListedIds implements KeyChoice.Ids {
        private volatile @Nullable TokenListing listing;
        private volatile int slot = -1;

        /** Forgets the listing if a URI with an id needs it, and the token has a certificate that is not in it. */
        private void refresh(KeyStore keys) throws GeneralSecurityException {
            TokenListing known = listing;
            if (known == null || uri.id().isEmpty()) {
                return;
            }
            for (String alias : Collections.list(keys.aliases())) {
                Certificate certificate = keys.getCertificate(alias);
                if (certificate != null && !known.has(slot(), certificate.getEncoded())) {
                    listing = null;
                    return;
                }
            }
        }

        private TokenListing listing() {
            TokenListing known = listing;
            if (known == null) {
                known = TokenListing.of(uri.module());
                listing = known;
            }
            return known;
        }

        private int slot() {
            int known = slot;
            if (known < 0) {
                known = found();
                slot = known;
            }
            return known;
        }

        private int found() {
            if (uri.token().isEmpty()) {
                return uri.slot().orElseThrow();
            }
            String label = uri.token().get();
            if (uri.slot().isEmpty()) {
                return listing().slotOf(label);
            }
            int slot = uri.slot().getAsInt();
            if (!listing().tokens().contains(new TokenListing.ListedToken(slot, label))) {
                throw new KeystoreUnusableException("token '" + label + "': not in slot " + slot);
            }
            return slot;
        }

        @Override
        public List<byte[]> certificates(byte[] id) {
            return listing().withId(slot(), id);
        }

        @Override
        public byte[] of(byte[] certificate) {
            return listing().idOf(slot(), certificate);
        }
    }
}
