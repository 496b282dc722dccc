/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AuthProvider;
import java.security.GeneralSecurityException;
import java.security.InvalidParameterException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Security;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.callback.PasswordCallback;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.PermissionCheck;

/**
 * The JDK's provider for one token. It keeps open sessions for later operations, one for each operation at the same
 * time. It is not installed globally.
 */
class TokenProvider {
    private static final String NAME = "SunPKCS11";
    private static final String KEY_STORE = "PKCS11";
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Each provider of an empty slot looks for a token in a thread of its own, so the next attempt takes it over. */
    private static final Map<String, Provider> WITHOUT_TOKEN = new ConcurrentHashMap<>();

    private final Provider provider;

    TokenProvider(Provider provider) {
        this.provider = provider;
    }

    /**
     * Makes the provider for the token in a slot, without a login.
     *
     * @throws KeystoreUnusableException if the library cannot be loaded, or if it has no such slot or no token in it
     */
    static TokenProvider of(Path module, int slot) {
        String place = slot + " " + module;
        Provider waiting = WITHOUT_TOKEN.remove(place);
        Provider provider = waiting == null ? configured(module, slot) : waiting;
        if (provider.getService("KeyStore", KEY_STORE) == null) {
            WITHOUT_TOKEN.put(place, provider);
            throw new KeystoreUnusableException("token in slot " + slot + ": not there; plug it in, or check the slot");
        }
        return new TokenProvider(provider);
    }

    private static Provider configured(Path module, int slot) {
        requireModule(module);
        Provider unconfigured = Security.getProvider(NAME);
        if (unconfigured == null) {
            throw new KeystoreUnusableException(
                    "key-store: this Java has no provider " + NAME + "; use one with the module jdk.crypto.cryptoki");
        }
        try {
            return unconfigured.configure(configuration(module, slot));
        } catch (InvalidParameterException | ProviderException | UnsupportedOperationException e) {
            throw new KeystoreUnusableException(
                    "key-store: module " + module + ", slot " + slot + ": cannot be used ("
                            + TokenFailure.of(e).code() + "); check the slot and the library's own configuration",
                    e);
        }
    }

    /** Checks the library, whose code runs in this process, before it is loaded. */
    static void requireModule(Path module) {
        if (!Files.isRegularFile(module)) {
            throw new KeystoreUnusableException("key-store: module " + module
                    + ": no such file; install the library of the token, or correct module-path");
        }
        PermissionCheck.forThisUser().part(module).requireNoFinding();
    }

    /**
     * A derived secret must leave the token, because the key derivation is outside it. It is an object of the session.
     */
    private static String configuration(Path module, int slot) {
        return String.join(
                "\n",
                "--name = Signet" + COUNT.incrementAndGet(),
                "library = " + module,
                "slot = " + slot,
                "attributes(*, CKO_SECRET_KEY, CKK_GENERIC_SECRET) = {",
                "  CKA_TOKEN = false",
                "  CKA_SENSITIVE = false",
                "  CKA_EXTRACTABLE = true",
                "}",
                "");
    }

    Provider provider() {
        return provider;
    }

    /** Logs in. */
    void login(char[] pin) throws GeneralSecurityException {
        ((AuthProvider) provider).login(null, callbacks -> ((PasswordCallback) callbacks[0]).setPassword(pin));
    }

    /**
     * Lists the keys that have certificates under the present login.
     *
     * @throws IOException also if the login has ended; no PIN is sent then
     */
    KeyStore list() throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance(KEY_STORE, provider);
        keys.load(null, null);
        return keys;
    }
}
