/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.file.FileChanges;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.home.FormerKeys.KeyFile;
import org.signetmq.keystore.internal.file.ShellText;
import org.signetmq.keystore.internal.names.NearestName;
import org.signetmq.keystore.internal.x509.IssuerRules;

/** The files of identities in a home. */
final class IdentityFiles {
    private static final String KEY_STORE = ".p12";
    private static final String CERTIFICATE = ".pem";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

    private final Home home;
    private final CryptoProviders providers;
    private final FormerKeys former;

    IdentityFiles(Home home, CryptoProviders providers) {
        this.home = home;
        this.providers = providers;
        this.former = new FormerKeys(home.formerKeys());
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
        PermissionCheck.forThisUser().part(home.identities()).secret(file).requireNoFinding();
        return KeyStoreFile.read(file, name, password, providers);
    }

    /**
     * Loads all keys of an identity. It reads only files that changed. A former key whose file cannot be read any more,
     * such as after a change of the password, stays as it was while the file is there.
     *
     * @param before the earlier result, or null
     * @throws KeystoreUnusableException if the current key cannot be loaded
     */
    KeyState loadAll(String name, Password password, @Nullable KeyState before) {
        KeyFolder seen = see(name);
        Identity current = before != null && before.seen().current().equals(seen.current())
                ? before.keys().current()
                : load(name, password);
        Map<KeyFile, Identity> read = new LinkedHashMap<>();
        List<Finding> findings = new ArrayList<>(seen.findings());
        Map<PublicKeyInfo, Identity> usable = new LinkedHashMap<>();
        for (KeyFile file : seen.former().subList(0, Math.min(seen.former().size(), FormerKeys.MOST))) {
            Identity loaded;
            try {
                Identity known = before == null ? null : before.read().get(file);
                loaded = known == null ? former(file, name, password, findings) : known;
                if (loaded != null) {
                    read.put(file, loaded);
                }
            } catch (KeystoreUnusableException e) {
                findings.add(FormerKeys.unreadable(file, name, e));
                loaded = before == null ? null : earlier(file, before, read);
            }
            if (loaded == null) {
                continue;
            }
            List<Finding> wrong = FormerKeys.wrongKey(file, loaded, current);
            findings.addAll(wrong);
            if (wrong.isEmpty()) {
                usable.putIfAbsent(PublicKeyInfo.of(loaded.certificate()), loaded);
            }
        }
        usable.remove(PublicKeyInfo.of(current.certificate())); // left over from a renewal that was interrupted
        if (seen.former().size() > FormerKeys.MOST) {
            findings.add(former.tooMany(name, seen.former().size()));
        }
        return new KeyState(seen, new IdentityKeys(current, List.copyOf(usable.values()), findings), read);
    }

    /** The folders and files of an identity's keys at one time. A change of a folder may be one of its permissions. */
    record KeyFolder(List<FileStamp> folders, FileStamp current, List<KeyFile> former, List<Finding> findings) {}

    /** The keys that were loaded from the files of one time. */
    record KeyState(KeyFolder seen, IdentityKeys keys, Map<KeyFile, Identity> read) {}

    /** Lists the files of an identity's keys. */
    KeyFolder see(String name) {
        requireName(name);
        List<FileStamp> folders = List.of(FileStamp.of(home.identities()), FileStamp.of(home.formerKeys()));
        FileStamp current = FileStamp.of(keyStore(name));
        try {
            return new KeyFolder(folders, current, former.of(name), List.of());
        } catch (KeystoreUnusableException e) {
            Finding finding = new Finding(
                    ShellText.shown(home.formerKeys()),
                    "former keys are not used: " + e.getMessage(),
                    "ls -ld " + ShellText.quoted(home.formerKeys()));
            return new KeyFolder(folders, current, List.of(), List.of(finding));
        }
    }

    /** Returns the key that a file had at an earlier time, and keeps it under the state of that time. */
    private static @Nullable Identity earlier(KeyFile file, KeyState before, Map<KeyFile, Identity> read) {
        for (Map.Entry<KeyFile, Identity> known : before.read().entrySet()) {
            if (known.getKey().path().equals(file.path())) {
                read.put(known.getKey(), known.getValue()); // so the file is tried again
                return known.getValue();
            }
        }
        return null;
    }

    /**
     * Loads a former key, or adds a finding.
     *
     * @throws KeystoreUnusableException if the file cannot be read
     */
    private @Nullable Identity former(KeyFile file, String name, Password password, List<Finding> findings) {
        if (!file.isWellNamed()) {
            findings.add(FormerKeys.badName(file, name));
            return null;
        }
        List<Finding> open = PermissionCheck.forThisUser()
                .part(home.formerKeys())
                .secret(file.path())
                .findings();
        if (open.isEmpty()) {
            return KeyStoreFile.read(file.path(), name, password, providers);
        }
        findings.addAll(open);
        return null;
    }

    /** Writes all files or none. The key store is the last one, so an identity with a key store is complete. */
    void write(Identity identity, Password password) throws GeneralSecurityException {
        byte[] certificates = Pem.bytes(Stream.concat(Stream.of(identity.certificate()), issuersBelowRoot(identity))
                .toList());
        try (FileChanges files = new FileChanges()) {
            for (Path place : places(identity)) {
                files.add(place, certificates);
            }
            files.addPrivate(keyStore(identity.name()), KeyStoreFile.bytes(identity, password));
            files.apply(() -> {});
        } catch (IOException e) {
            throw unwritten(home, identity.name(), e);
        }
    }

    static KeystoreUnusableException unwritten(Home home, String name, Exception e) {
        return new KeystoreUnusableException(
                "identity '" + name + "': cannot be written to " + home.root() + ": "
                        + e.getClass().getSimpleName() + " " + e.getMessage(),
                e);
    }

    /** Returns the files of the certificate, trust first. An issuing identity has no recipient entry. */
    List<Path> places(Identity identity) {
        Path trusted = trusted(identity.name());
        if (IssuerRules.mayIssue(identity.certificate())) {
            return List.of(trusted);
        }
        Path recipient = recipient(identity.name());
        boolean own = identity.chain().size() == 1 && IssuerRules.isSelfIssued(identity.certificate());
        return own ? List.of(trusted, recipient) : List.of(recipient);
    }

    /** Returns the issuers of an identity that others need beside the root to follow its chain. */
    static Stream<X509Certificate> issuersBelowRoot(Identity identity) {
        return identity.chain().stream().skip(1).filter(issuer -> !IssuerRules.isSelfIssued(issuer));
    }

    Path keyStore(String name) {
        return home.identities().resolve(name + KEY_STORE);
    }

    Path recipient(String name) {
        return home.recipients().resolve(name + CERTIFICATE);
    }

    Path trusted(String name) {
        return home.trust().resolve(name + CERTIFICATE);
    }
}
