/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.home.Password;

/**
 * Finds the token of a URI, logs in and finds the keys of an identity. It never sends a PIN again that the token
 * refused, because tokens lock after some wrong ones. Thread-safe.
 */
final class TokenLogin {
    private final TokenUri uri;
    private final Supplier<Password> pins;
    private @Nullable Session session; // guarded by this

    /**
     * The time after a login.
     *
     * @param proven the keys of which an operation has shown that the token has them
     */
    private record Session(TokenProvider provider, ListedIds ids, Set<PublicKeyInfo> proven) {}

    TokenLogin(TokenUri uri, Supplier<Password> pins) {
        this.uri = uri;
        this.pins = pins;
    }

    /**
     * Logs in and returns the keys of an identity.
     *
     * @param name the name of the identity
     * @param home its certificates in the home
     * @throws KeystoreUnusableException if the token is not there, refuses the PIN, or has no such key
     */
    synchronized TokenKeys open(String name, NamedCertificates home) {
        session = null;
        return look(name, home);
    }

    /** Returns the keys as {@link #open} does, under the present login if there is one. */
    synchronized TokenKeys look(String name, NamedCertificates home) {
        Session now = session;
        KeyStore keys;
        if (now == null) {
            ListedIds ids = new ListedIds();
            TokenProvider.requireModule(uri.module());
            TokenProvider provider = TokenProvider.of(uri.module(), ids.slot());
            keys = login(provider, uri.module() + " " + ids.slot() + " " + uri.tokenInWords());
            now = new Session(provider, ids, new HashSet<>());
        } else {
            keys = listed(now.provider());
        }
        session = now;
        return found(now, keys, name, home);
    }

    /**
     * Finds a key again that works no more. It logs in, unless another key has done so since.
     *
     * @param failed the key as it was
     * @return the key, or another one of the identity if it is not there
     */
    @SuppressWarnings("ReferenceEquality") // two providers with the same properties are equal
    synchronized OpenedKey reopen(String name, NamedCertificates home, OpenedKey failed) {
        if (session != null && session.provider().provider() == failed.provider()) {
            session = null;
        }
        List<OpenedKey> keys = look(name, home).keys();
        PublicKeyInfo wanted = PublicKeyInfo.of(failed.certificate());
        return keys.stream()
                .filter(key -> PublicKeyInfo.of(key.certificate()).equals(wanted))
                .findFirst()
                .orElse(keys.get(0));
    }

    private TokenKeys found(Session now, KeyStore keys, String name, NamedCertificates home) {
        try {
            now.ids().refresh(keys);
            TokenKeys found = new KeyChoice(uri, name, home, now.ids())
                    .from(keys, now.provider().provider());
            List<OpenedKey> proven = new ArrayList<>();
            List<String> problems = new ArrayList<>(found.problems());
            for (OpenedKey key : found.keys()) {
                if (proven.isEmpty() ? isProven(now, key) : isUsableBeside(now, key)) {
                    proven.add(key);
                } else if (proven.isEmpty()) {
                    throw notItsKey(name);
                } else {
                    problems.add(String.valueOf(notItsKey(name).getMessage()));
                }
            }
            return new TokenKeys(proven, problems);
        } catch (KeystoreUnusableException told) { // the token works
            throw told;
        } catch (GeneralSecurityException | RuntimeException e) {
            session = null;
            throw unusable("the private key with " + uri.keyInWords(name) + " cannot be used", e);
        }
    }

    private static boolean isProven(Session now, OpenedKey key) throws GeneralSecurityException {
        PublicKeyInfo info = PublicKeyInfo.of(key.certificate());
        if (now.proven().contains(info)) {
            return true;
        }
        if (!TokenProof.holds(key)) {
            return false;
        }
        now.proven().add(info);
        return true;
    }

    /** Returns whether a key beside the current one can be used. One without a usage must not disturb the others. */
    private static boolean isUsableBeside(Session now, OpenedKey key) throws GeneralSecurityException {
        try {
            return isProven(now, key);
        } catch (GeneralSecurityException | RuntimeException e) {
            if (TokenFailure.of(e).kind() == TokenFailure.Kind.NOT_PERMITTED) {
                return false;
            }
            throw e;
        }
    }

    private KeystoreUnusableException notItsKey(String name) {
        return new KeystoreUnusableException(uri.tokenInWords() + ": the private key with " + uri.keyInWords(name)
                + " is not the key of the certificate with its id");
    }

    private KeyStore listed(TokenProvider provider) {
        try {
            return provider.list();
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            session = null;
            throw unusable("it cannot be listed", e);
        }
    }

    private KeyStore login(TokenProvider provider, String token) {
        char[] pin = pin();
        try {
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

    /** The slot and the ids of certificates, from a listing that is made at most once. */
    private final class ListedIds implements KeyChoice.Ids {
        private @Nullable TokenListing listing;
        private int slot = -1;

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
