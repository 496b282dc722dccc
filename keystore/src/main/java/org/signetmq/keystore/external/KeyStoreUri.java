/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.external;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.ExternalKeys;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.token.TokenKeyStore;
import org.signetmq.keystore.token.TokenUri;

/**
 * Names private keys outside of this process: in a token ({@code pkcs11:}) or in a key service ({@code transit:}).
 * Immutable.
 */
public final class KeyStoreUri {
    private static final Map<String, TransitKeyStore> SERVICES = new ConcurrentHashMap<>();

    private final @Nullable TokenUri token;
    private final @Nullable TransitUri service;

    private KeyStoreUri(@Nullable TokenUri token, @Nullable TransitUri service) {
        this.token = token;
        this.service = service;
    }

    /**
     * Reads a URI.
     *
     * @throws KeystoreUnusableException if it is of neither kind; the text shows no value
     */
    public static KeyStoreUri parse(String text) {
        if (text.startsWith(TransitUri.SCHEME)) {
            return new KeyStoreUri(null, TransitUri.parse(text));
        }
        if (text.startsWith(TokenUri.SCHEME)) {
            return new KeyStoreUri(TokenUri.parse(text), null);
        }
        throw new KeystoreUnusableException(
                "key-store: must be a URI that begins with " + TokenUri.SCHEME + " or " + TransitUri.SCHEME);
    }

    /** Tells whether a PIN is needed that the URI does not have. A key service needs none. */
    public boolean needsPin() {
        return token != null && token.pinSource().isEmpty();
    }

    /** Tells whether the keys have certificates there. Otherwise all certificates come from the home. */
    public boolean hasCertificates() {
        return token != null;
    }

    /**
     * Returns the keys. Nothing is used before an identity is loaded.
     *
     * @param pins returns the PIN for each login of a token, if {@link #needsPin}
     */
    public ExternalKeys keys(Supplier<Password> pins) {
        return token != null ? new TokenKeyStore(token, pins) : new TransitKeyStore(service());
    }

    /**
     * Returns the keys for this process: always the same object for the same text. The PIN of a token comes from the
     * URI or from {@value TokenKeyStore#PIN_VARIABLE}.
     */
    public ExternalKeys shared() {
        return token != null
                ? TokenKeyStore.shared(token)
                : SERVICES.computeIfAbsent(service().text(), text -> new TransitKeyStore(service()));
    }

    private TransitUri service() {
        if (service == null) {
            throw new IllegalStateException("key-store: names a token");
        }
        return service;
    }

    /** Returns the kind of the place, without values. */
    @Override
    public String toString() {
        return "KeyStoreUri[" + (token != null ? token : service) + "]";
    }
}
