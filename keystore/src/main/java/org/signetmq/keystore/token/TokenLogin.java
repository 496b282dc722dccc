/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Password;

/**
 * Finds the token of a URI, logs in and finds the key. It never sends a PIN again that the token refused, because
 * tokens lock after some wrong ones. Thread-safe.
 */
final class TokenLogin {
    private final TokenUri uri;
    private final Supplier<Password> pins;

    TokenLogin(TokenUri uri, Supplier<Password> pins) {
        this.uri = uri;
        this.pins = pins;
    }

    /**
     * Opens the key.
     *
     * @param name the name of the identity
     * @throws KeystoreUnusableException if the token is not there, refuses the PIN, or has no such key
     */
    synchronized OpenedKey open(String name) {
        TokenProvider.requireModule(uri.module());
        ListedIds ids = new ListedIds();
        TokenProvider provider = TokenProvider.of(uri.module(), ids.slot());
        KeyStore keys = login(provider, uri.module() + " " + ids.slot() + " " + uri.tokenInWords());
        try {
            OpenedKey opened = new KeyChoice(uri, name, ids).from(keys, provider.provider());
            if (!TokenProof.holds(opened)) {
                throw new KeystoreUnusableException(uri.tokenInWords() + ": the private key with "
                        + uri.keyInWords(name) + " is not the key of the certificate with its id");
            }
            return opened;
        } catch (KeystoreUnusableException told) {
            throw told;
        } catch (GeneralSecurityException | RuntimeException e) {
            throw unusable("the private key with " + uri.keyInWords(name) + " cannot be used", e);
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

        private TokenListing listing() {
            TokenListing known = listing;
            if (known == null) {
                known = TokenListing.of(uri.module());
                listing = known;
            }
            return known;
        }

        private int slot() {
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
