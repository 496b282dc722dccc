/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.file.FileChanges;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.KeyStoreFile;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * Changes the password of all keys of an identity. The current key is the last one. If the process ends in the middle,
 * the identity has the old password, and its other keys the old or the new one. The same change then completes it.
 * Thread-safe.
 */
public final class PasswordChange {
    private static final String KEY_STORE = ".p12";

    private final Home home;
    private final Runnable beforeEach;

    /** Returns the change of passwords in a home. */
    public PasswordChange(Home home) {
        this(home, () -> {});
    }

    /**
     * Returns the change of passwords in a home.
     *
     * @param beforeEach runs before each change of a file
     */
    PasswordChange(Home home, Runnable beforeEach) {
        this.home = home;
        this.beforeEach = beforeEach;
    }

    /**
     * Changes the password of an identity with all its keys: current, former, retired and pending ones.
     *
     * @return the number of files with the new password
     * @throws KeystoreUnusableException if a key has another password than the two, or nothing can be written
     */
    public int change(String name, Password old, Password next) {
        IdentityStore.requireName(name);
        KeyStoreFile.requirePortable(next);
        return home.identityStore().exclusively(name, () -> changed(name, old, next));
    }

    private int changed(String name, Password old, Password next) {
        Map<Path, Identity> keys = new LinkedHashMap<>();
        List<Path> files = files(name);
        for (Path file : files) {
            Identity key = withOldPassword(file, name, old, next);
            if (key != null) {
                keys.put(file, key);
            }
        }
        try (FileChanges changes = new FileChanges()) {
            for (Map.Entry<Path, Identity> key : keys.entrySet()) {
                changes.put(key.getKey(), WholeFile.PRIVATE, KeyStoreFile.bytes(key.getValue(), next));
            }
            changes.apply(beforeEach);
        } catch (IOException | GeneralSecurityException e) {
            throw new KeystoreUnusableException(
                    "identity '" + name + "': cannot be written to " + home.root() + ": " + e.getMessage(), e);
        }
        return files.size();
    }

    /** Loads a key; null if it has the new password already. */
    private static @Nullable Identity withOldPassword(Path file, String name, Password old, Password next) {
        try {
            return KeyStoreFile.read(file, name, old, CryptoProviders.jdk());
        } catch (KeystoreUnusableException wrong) {
            try {
                Identity unused = KeyStoreFile.read(file, name, next, CryptoProviders.jdk());
                return null;
            } catch (KeystoreUnusableException e) {
                throw wrong;
            }
        }
    }

    /** Returns the files of all keys, that of the current key last. */
    private List<Path> files(String name) {
        Path current = home.identities().resolve(name + KEY_STORE);
        if (!Files.exists(current)) {
            throw new KeystoreUnusableException("identity '" + name + "': not in " + home.identities());
        }
        Pattern own = Pattern.compile(Pattern.quote(name) + "\\.[0-9a-f]{16}" + Pattern.quote(KEY_STORE));
        List<Path> files = new ArrayList<>();
        for (Path folder : List.of(home.retiredKeys(), home.formerKeys())) {
            BoundedFile.list(folder).stream()
                    .filter(file ->
                            own.matcher(String.valueOf(file.getFileName())).matches())
                    .forEach(files::add);
        }
        Path pending = new PendingRequests(home).key(name);
        if (Files.exists(pending)) {
            files.add(pending);
        }
        files.add(current);
        return files;
    }
}
