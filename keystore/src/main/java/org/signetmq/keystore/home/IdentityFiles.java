/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.file.NewFiles;
import org.signetmq.keystore.internal.names.NearestName;
import org.signetmq.keystore.internal.x509.IssuerRules;

/** The files of identities in a home. */
final class IdentityFiles {
    private static final String KEY_STORE = ".p12";
    private static final String CERTIFICATE = ".pem";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

    private final Home home;
    private final CryptoProviders providers;

    IdentityFiles(Home home, CryptoProviders providers) {
        this.home = home;
        this.providers = providers;
    }

    /** Rejects names that could lead out of the folder or hide in it. */
    static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new KeystoreUnusableException("name: must be 1 to 64 letters, digits, '.', '-' or '_', and not start"
                    + " with '.', but was '" + name + "'");
        }
    }

    /** Rejects names that a file of the home has. */
    void requireFree(String name) {
        for (Path file : List.of(keyStore(name), recipient(name), trusted(name))) {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new KeystoreUnusableException(
                        "identity '" + name + "': the name is taken, " + file + " exists already");
            }
        }
    }

    List<String> names() {
        try (Stream<Path> files = Files.list(home.identities())) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(file -> file.endsWith(KEY_STORE) && !file.startsWith("."))
                    .map(file -> file.substring(0, file.length() - KEY_STORE.length()))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new KeystoreUnusableException(home.identities() + ": cannot be listed", e);
        }
    }

    Identity load(String name, Password password) {
        requireName(name);
        Path file = keyStore(name);
        if (!Files.exists(file)) {
            throw new KeystoreUnusableException(
                    "identity '" + name + "': not in " + home.identities() + NearestName.hint(name, names()));
        }
        PermissionCheck.forOwnerOf(home.root())
                .part(home.identities())
                .secret(file)
                .requireNoFinding();
        return KeyStoreFile.read(file, name, password, providers);
    }

    /** Writes all files or none. The key store is the last one, so an identity with a key store is complete. */
    void write(Identity identity, Password password) throws GeneralSecurityException {
        byte[] leaf = Pem.certificatePem(identity.certificate()).getBytes(StandardCharsets.US_ASCII);
        try (NewFiles files = new NewFiles()) {
            for (Path place : places(identity)) {
                files.add(place, leaf);
            }
            files.addPrivate(keyStore(identity.name()), KeyStoreFile.bytes(identity, password));
            files.publish();
        } catch (IOException e) {
            throw new KeystoreUnusableException(
                    "identity '" + identity.name() + "': cannot be written to " + home.root() + ": "
                            + e.getClass().getSimpleName() + " " + e.getMessage(),
                    e);
        }
    }

    /** Returns the files of the certificate. An issuing identity has no recipient entry. */
    private List<Path> places(Identity identity) {
        Path trusted = trusted(identity.name());
        if (IssuerRules.mayIssue(identity.certificate())) {
            return List.of(trusted);
        }
        Path recipient = recipient(identity.name());
        return identity.chain().size() == 1 ? List.of(recipient, trusted) : List.of(recipient);
    }

    private Path keyStore(String name) {
        return home.identities().resolve(name + KEY_STORE);
    }

    private Path recipient(String name) {
        return home.recipients().resolve(name + CERTIFICATE);
    }

    private Path trusted(String name) {
        return home.trust().resolve(name + CERTIFICATE);
    }
}
