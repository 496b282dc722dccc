/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Password;

/**
 * A PKCS#11 token as a key store. The private keys stay in it; their certificates come from it, too. Thread-safe.
 *
 * <p>An identity of a token stays usable after the token was pulled out and put back. Between both, its operations
 * throw {@link KeystoreUnusableException}.
 */
public final class TokenKeyStore {
    /** The environment variable with the PIN. */
    public static final String PIN_VARIABLE = "SIGNET_PIN";

    private static final long MAX_MILLIS = 10_000;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Map<String, TokenKeyStore> SHARED = new ConcurrentHashMap<>();

    private final TokenUri uri;
    private final TokenLogin login;
    private final TokenCalls calls;
    private final long pauseNanos;
    private String problem = ""; // guarded by this, as its time
    private long problemAt;

    /**
     * Creates a key store. It uses the token only when an identity is loaded.
     *
     * @param uri names the token, and the key in it
     * @param pins returns the PIN for each login, if the URI has no {@code pin-source}. The login closes it. Logins
     *     happen again after the token was pulled out.
     */
    public TokenKeyStore(TokenUri uri, Supplier<Password> pins) {
        this(uri, pins, 0);
    }

    private TokenKeyStore(TokenUri uri, Supplier<Password> pins, long pauseNanos) {
        this.uri = uri;
        this.login = new TokenLogin(uri, pins);
        this.calls = new TokenCalls(uri.tokenInWords(), MAX_MILLIS);
        this.pauseNanos = pauseNanos;
    }

    /**
     * Returns the key store of this process for a URI. The PIN comes from the URI's {@code pin-source} or from
     * {@value #PIN_VARIABLE}. A program may load an identity each second until the token is there: after a failure the
     * key store uses the token again only after five seconds.
     */
    public static TokenKeyStore shared(TokenUri uri) {
        return SHARED.computeIfAbsent(
                uri.text(),
                text -> new TokenKeyStore(uri, () -> fromEnvironment(System.getenv(PIN_VARIABLE)), PAUSE_NANOS));
    }

    private static Password fromEnvironment(@Nullable String pin) {
        if (pin == null || pin.isEmpty()) {
            throw new KeystoreUnusableException("key-store: no PIN; add pin-source=file:PATH to the URI, or set "
                    + PIN_VARIABLE + " in the environment");
        }
        return Password.takeOwnershipOf(pin.toCharArray());
    }

    /**
     * Finds the key and proves that the token computes with it.
     *
     * @param name the name of the identity. It is the label of the certificate, if the URI has neither {@code object}
     *     nor {@code id}.
     * @throws KeystoreUnusableException if the token is not there, refuses the PIN, or has no such key
     */
    public synchronized Identity load(String name) {
        if (!problem.isEmpty() && System.nanoTime() - problemAt < pauseNanos) {
            throw new KeystoreUnusableException(problem);
        }
        try {
            OpenedKey opened = calls.call(() -> login.open(name));
            TokenConnection connection = new TokenConnection(uri, calls, () -> login.open(name), opened);
            problem = "";
            return new Identity(name, new TokenKey(connection, opened.publicKey()), opened.chain());
        } catch (KeystoreUnusableException e) {
            problem = String.valueOf(e.getMessage());
            problemAt = System.nanoTime();
            throw e;
        }
    }
}
