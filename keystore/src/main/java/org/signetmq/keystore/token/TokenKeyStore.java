/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.home.Finding;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityKeys;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.token.KeyChoice.TokenKeys;

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

    /** To list all objects may take long, and messages do not wait for it. */
    private final TokenCalls listingCalls;

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
        this(uri, new TokenLogin(uri, pins), 0);
    }

    TokenKeyStore(TokenUri uri, TokenLogin login, long pauseNanos) {
        this.uri = uri;
        this.login = login;
        this.calls = new TokenCalls(uri.tokenInWords(), MAX_MILLIS);
        this.listingCalls = new TokenCalls(uri.tokenInWords(), MAX_MILLIS);
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
                text -> new TokenKeyStore(
                        uri, new TokenLogin(uri, () -> fromEnvironment(System.getenv(PIN_VARIABLE))), PAUSE_NANOS));
    }

    private static Password fromEnvironment(@Nullable String pin) {
        if (pin == null || pin.isEmpty()) {
            throw new KeystoreUnusableException("key-store: no PIN; add pin-source=file:PATH to the URI, or set "
                    + PIN_VARIABLE + " in the environment");
        }
        return Password.takeOwnershipOf(pin.toCharArray());
    }

    /**
     * Finds the current key and proves that the token computes with it. Of several keys it is the one with the newest
     * certificate. Keys that may sign come before all others, and certificates that are already valid before later
     * ones.
     *
     * @param name the name of the identity. It is the label of the certificate, if the URI has neither {@code object}
     *     nor {@code id}.
     * @throws KeystoreUnusableException if the token is not there, refuses the PIN, or has no such key. Also if several
     *     keys could be the current one, and their certificates have different distinguished names.
     */
    public Identity load(String name) {
        return opened(name, () -> CurrentKeyRule.NONE).current();
    }

    /**
     * Finds all keys of an identity, and proves that the token computes with them. The current key is that of the first
     * certificate in {@code recipients/NAME.pem}, then in {@code trust/NAME.pem} of the home that may sign. If the
     * first certificate is that of an issuer, no other key than the issuer's is the current one. Without such a
     * certificate it is the key that {@link #load} returns. If the home has a certificate for a key, the identity has
     * it in place of that in the token.
     *
     * @param name the name of the identity. If the URI has neither {@code object} nor {@code id}, its keys are those
     *     whose certificates have this label, or are in the file of this name in the home.
     * @return the keys; its findings are about keys that are not used
     * @throws KeystoreUnusableException as {@link #load} does, and if the file in the home cannot be read
     */
    public IdentityKeys loadAll(String name, Home home) {
        return opened(name, () -> CurrentKeyRule.of(home, name, List.of()));
    }

    /**
     * Loads all keys as {@link #loadAll} does, and checks the token and the home for changes until it is closed. A new
     * key becomes the current one only when the home has its certificate first. Until then the current key stays. A key
     * keeps its certificate, too, unless the home has another one for it.
     *
     * @throws KeystoreUnusableException as {@link #loadAll} does
     */
    public TokenWatch watch(String name, Home home) {
        return new TokenWatch(name, loadAll(name, home), before -> refreshed(home, before));
    }

    private synchronized IdentityKeys opened(String name, Supplier<CurrentKeyRule> rules) {
        if (!problem.isEmpty() && System.nanoTime() - problemAt < pauseNanos) {
            throw new KeystoreUnusableException(problem);
        }
        try {
            CurrentKeyRule rule = rules.get();
            TokenKeys opened = calls.call(() -> login.open(name, rule));
            problem = "";
            return identities(name, opened, List.of());
        } catch (KeystoreUnusableException e) {
            problem = String.valueOf(e.getMessage());
            problemAt = System.nanoTime();
            throw e;
        }
    }

    /**
     * Returns the keys that the token has now. Identities that have not changed are the same objects. A former key that
     * the token could not read or use this time stays.
     */
    private IdentityKeys refreshed(Home home, IdentityKeys before) {
        Identity current = before.current();
        PublicKeyInfo key = PublicKeyInfo.of(current.certificate());
        CurrentKeyRule rule = CurrentKeyRule.of(
                home,
                current.name(),
                before.all().stream().map(Identity::certificate).toList());
        TokenKeys found = listingCalls.call(() -> login.refreshed(current.name(), rule));
        boolean isStillThere = found.keys().stream().anyMatch(one -> one.info().equals(key));
        if (!isStillThere && !rule.hasKey(found.keys().get(0).info())) {
            throw KeyChoice.anotherKey(uri, current.name());
        }
        return identities(current.name(), found, before.all());
    }

    private IdentityKeys identities(String name, TokenKeys found, List<Identity> before) {
        List<Identity> all = Stream.concat(
                        found.keys().stream().map(key -> identity(name, key, before)),
                        before.stream().filter(known -> found.failed().contains(PublicKeyInfo.of(known.certificate()))))
                .toList();
        List<Finding> findings = found.problems().stream()
                .distinct()
                .map(text -> text.replace(uri.tokenInWords() + ": ", ""))
                .map(text -> new Finding(uri.tokenInWords(), text, "pkcs11-tool --list-objects"))
                .toList();
        return new IdentityKeys(all.get(0), all.subList(1, all.size()), findings);
    }

    private Identity identity(String name, OpenedKey key, List<Identity> before) {
        PublicKeyInfo info = key.info();
        for (Identity known : before) {
            if (PublicKeyInfo.of(known.certificate()).equals(info)) {
                return known.chain().equals(key.chain()) ? known : new Identity(name, known.privateKey(), key.chain());
            }
        }
        return new Identity(name, new TokenKey(uri, calls, failed -> login.reopen(name, failed), key), key.chain());
    }
}
