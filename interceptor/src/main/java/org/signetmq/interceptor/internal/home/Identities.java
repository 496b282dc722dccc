/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.external.KeyStoreUri;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.home.ExternalKeys;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.KeyWatch;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.Policy.RequiredKeys;

/**
 * Finds the identity that signs a message: the identity with the name of the user, or else the broker's own. It loads
 * an identity once, and again when its file changes. It also remembers failures to load, because each attempt costs a
 * derivation from the password. The broker's own keys may be in a token or a key service; then the current one of them
 * signs. Thread-safe.
 */
public final class Identities implements AutoCloseable {
    /** The names of identities. Only such a name becomes part of a path. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

    /** The largest number of remembered names. User names come from clients, so the memory for them is bounded. */
    private static final int MOST_REMEMBERED = 10_000;

    private final PluginSettings settings;
    private final IdentityStore store;
    private final Optional<ExternalKeys> external;
    private volatile @Nullable KeyWatch watch;
    private boolean closed; // guarded by this
    private final ConcurrentHashMap<String, Loaded> remembered = new ConcurrentHashMap<>();

    Identities(PluginSettings settings) {
        this.settings = settings;
        this.store = settings.home().identityStore();
        this.external = settings.tuning().keyStore().map(KeyStoreUri::shared);
    }

    /** The result of loading the files of one moment. Without a key store it has neither identity nor problem. */
    private record Loaded(
            List<FileStamp> keyStores,
            FileStamp passwordFile,
            @Nullable Identity identity,
            @Nullable String problem) {
        @Nullable
        Identity required() {
            if (problem != null) {
                throw new KeystoreUnusableException(problem);
            }
            return identity;
        }
    }

    /**
     * Returns the broker's own identity.
     *
     * @throws KeystoreUnusableException if the identity cannot be loaded
     */
    public Identity ofBroker() {
        KeyWatch watched = watch;
        if (watched != null) {
            return currentOf(watched);
        }
        Loaded known = remembered.get(settings.identity());
        if (known != null && known.identity() != null) {
            return known.identity();
        }
        if (!isName(settings.identity())) {
            throw new KeystoreUnusableException("property 'identity': not a name, found '" + settings.identity() + "'");
        }
        Identity identity = find(settings.identity());
        if (identity == null) {
            throw new KeystoreUnusableException(
                    "identity '" + settings.identity() + "': no file " + keyStore(settings.identity()));
        }
        return identity;
    }

    /**
     * Returns the identity that signs for this user. Null stands for no user.
     *
     * @throws KeystoreUnusableException if the identity cannot be loaded; no other identity signs in its place
     */
    public Identity signerFor(@Nullable String user) {
        if (user == null || user.equals(settings.identity())) {
            return ofBroker();
        }
        Loaded known = remembered.get(user); // takes no lock, unlike computeIfAbsent
        if (known != null || isName(user)) { // a remembered name was matched before
            Identity identity = known == null ? find(user) : known.required();
            if (identity != null) {
                return identity;
            }
        }
        return ofBroker();
    }

    /**
     * Forgets identities whose files have changed. It loads the broker's own anew at once, and the present one signs
     * until then: a token or a derivation from the password takes time, and messages do not wait for it.
     */
    void forgetChanged() {
        FileStamp passwordFile = FileStamp.of(settings.passwordFile());
        remembered.forEach((name, known) -> {
            if (!isOutOfDate(name, known, passwordFile)) {
                return;
            }
            if (name.equals(settings.identity())) {
                remembered.replace(name, known, load(name));
            } else {
                remembered.remove(name, known);
            }
        });
    }

    private boolean isOutOfDate(String name, Loaded known, FileStamp passwordFile) {
        return isExternal(name)
                ? known.problem() != null
                : !known.passwordFile().equals(passwordFile)
                        || !known.keyStores().equals(keyStores(name));
    }

    private boolean isExternal(String name) {
        return external.isPresent() && name.equals(settings.identity());
    }

    /** Returns the certificates of the identities that were loaded and not forgotten, by name. */
    Map<String, X509Certificate> loaded() {
        Map<String, X509Certificate> loaded = new HashMap<>();
        remembered.forEach((name, known) -> {
            if (known.identity() != null) {
                loaded.put(name, known.identity().certificate());
            }
        });
        KeyWatch watched = watch;
        if (watched != null) {
            loaded.put(settings.identity(), currentOf(watched).certificate());
        }
        return loaded;
    }

    /** Returns whether the home has a key store of this name. */
    boolean hasKeyStore(String name) {
        return FileStamp.of(keyStore(name)).exists();
    }

    /** Forgets failures to load, so that the next call tries again. */
    void forgetProblems() {
        remembered.values().removeIf(loaded -> loaded.problem() != null);
    }

    /** Returns whether an identity may have this name. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    private @Nullable Identity find(String name) {
        if (remembered.size() > MOST_REMEMBERED) {
            remembered.clear();
        }
        return remembered.computeIfAbsent(name, this::load).required();
    }

    private Loaded load(String name) {
        List<FileStamp> keyStores = keyStores(name);
        FileStamp passwordFile = FileStamp.of(settings.passwordFile());
        try {
            return new Loaded(keyStores, passwordFile, read(name, keyStores.get(0)), null);
        } catch (KeystoreUnusableException e) {
            return new Loaded(keyStores, passwordFile, null, String.valueOf(e.getMessage()));
        }
    }

    private @Nullable Identity read(String name, FileStamp keyStore) {
        if (isExternal(name)) {
            return currentOfExternal(name);
        }
        if (!keyStore.exists()) {
            return null;
        }
        try (Password password = Password.fromFile(settings.passwordFile())) {
            return store.loadSigner(name, password);
        }
    }

    private synchronized Identity currentOfExternal(String name) {
        KeyWatch watched = watch;
        if (watched == null) {
            if (closed) {
                throw new KeystoreUnusableException("identity '" + name + "': the plugin has stopped");
            }
            watched = external.orElseThrow().watch(name, settings.home());
            watch = watched;
        }
        return currentOf(watched);
    }

    private static Identity currentOf(KeyWatch watched) {
        return watched.current().get(0);
    }

    /** Ends the watch of the keys. Its last keys stay. */
    @Override
    public synchronized void close() {
        closed = true;
        KeyWatch watched = watch;
        if (watched != null) {
            watched.close();
        }
    }

    /** Returns the files of an identity and of its companion, which signs beside it. */
    private List<FileStamp> keyStores(String name) {
        return List.of(FileStamp.of(keyStore(name)), FileStamp.of(keyStore(RequiredKeys.companionOf(name))));
    }

    private Path keyStore(String name) {
        return settings.home().identities().resolve(name + ".p12");
    }
}
