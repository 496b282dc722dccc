/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.file.FileChanges;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.file.ShellText;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.FormerCertificates;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.text.NearestWord;

/**
 * The files of identities in a home. The file of a former key is {@code former/NAME.ID.p12}, with the first 16 hex
 * digits of the key identifier.
 */
record IdentityFiles(Home home, CryptoProviders providers) {
    private static final String KEY_STORE = ".p12";
    private static final String CERTIFICATE = ".pem";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

    /** The greatest number of former keys of an identity. */
    static final int MOST_FORMER = FormerCertificates.MOST;

    /** The number of hex digits of the key identifier in the name of a file. */
    static final int ID_LENGTH = 16;

    /** The greatest number of files of former keys that are looked at. */
    private static final int MOST_FILES = 100_000;

    private static final Pattern ID = Pattern.compile("[0-9a-f]{" + ID_LENGTH + "}");

    /**
     * A file of a former key.
     *
     * @param id the part of its name that identifies the key
     * @param stamp its state when the folder was listed
     */
    record KeyFile(Path path, String id, FileStamp stamp) {
        boolean isWellNamed() {
            return ID.matcher(id).matches();
        }

        private FileTime modified() {
            return stamp.modified();
        }

        private Finding finding(String what, String mend) {
            return new Finding(ShellText.shown(path), what, mend);
        }
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
        return BoundedFile.names(home.identities(), KEY_STORE);
    }

    Identity load(String name, Password password) {
        requireName(name);
        Path file = keyStore(name);
        if (!Files.exists(file)) {
            throw new KeystoreUnusableException(
                    "identity '" + name + "': not in " + home.identities() + NearestWord.nameHint(name, names()));
        }
        PermissionCheck.forThisUser().part(home.identities()).secret(file).requireNoFinding();
        return KeyStoreFile.read(file, name, password, providers);
    }

    /** Loads an identity, with its companion if the home has it. */
    Identity loadSigner(String name, Password password) {
        Identity identity = load(name, password);
        return hasCompanion(name) ? identity.with(load(RequiredKeys.companionOf(name), password)) : identity;
    }

    /** Tells whether the home has the post-quantum keys of the same party. */
    boolean hasCompanion(String name) {
        return RequiredKeys.hasCompanion(name) && Files.exists(keyStore(RequiredKeys.companionOf(name)));
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
        for (KeyFile file : seen.former().subList(0, Math.min(seen.former().size(), MOST_FORMER))) {
            Identity loaded;
            try {
                Identity known = before == null ? null : before.read().get(file);
                loaded = known == null ? former(file, name, password, findings) : known;
                if (loaded != null) {
                    read.put(file, loaded);
                }
            } catch (KeystoreUnusableException e) {
                findings.add(unreadable(file, name, e));
                loaded = before == null ? null : earlier(file, before, read);
            }
            if (loaded == null) {
                continue;
            }
            List<Finding> wrong = wrongKey(file, loaded, current);
            findings.addAll(wrong);
            if (wrong.isEmpty()) {
                usable.putIfAbsent(PublicKeyInfo.of(loaded.certificate()), loaded);
            }
        }
        usable.remove(PublicKeyInfo.of(current.certificate())); // left over from a renewal that was interrupted
        if (seen.former().size() > MOST_FORMER) {
            findings.add(new Finding(
                    ShellText.shown(home.formerKeys()),
                    "identity '" + name + "' has " + seen.former().size() + " former keys, and only the newest "
                            + MOST_FORMER + " are used",
                    "signet identity retire " + name + " --key ID, for keys that no message needs"));
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
            return new KeyFolder(folders, current, former(name), List.of());
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
            findings.add(file.finding(
                    "its name is not " + name + ".ID.p12 with 16 hex digits of the key id, in lower case",
                    "rm " + ShellText.quoted(file.path())));
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

    /** Returns the name of a key's file. */
    static String fileName(String name, KeyIdentifier key) {
        return fileName(name, idOf(key));
    }

    static String fileName(String name, String id) {
        return name + '.' + id + KEY_STORE;
    }

    /** Returns the digits of a key in file names. */
    static String idOf(KeyIdentifier key) {
        return key.toString().substring(0, ID_LENGTH);
    }

    /** Returns the files of an identity, the newest first. */
    List<KeyFile> former(String name) {
        Path folder = home.formerKeys();
        List<KeyFile> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            int seen = 0;
            for (Path file : files) {
                if (++seen > MOST_FILES) {
                    throw new KeystoreUnusableException(
                            ShellText.shown(folder) + ": more than " + MOST_FILES + " files");
                }
                String base = String.valueOf(file.getFileName());
                if (base.startsWith(name + '.') && base.endsWith(KEY_STORE)) {
                    String stem = base.substring(0, base.length() - KEY_STORE.length());
                    int dot = stem.lastIndexOf('.');
                    if (dot == name.length()) {
                        found.add(new KeyFile(file, stem.substring(dot + 1), FileStamp.of(file)));
                    }
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | DirectoryIteratorException e) {
            throw new KeystoreUnusableException(ShellText.shown(folder) + ": cannot be listed", e);
        }
        found.sort(Comparator.comparing(KeyFile::modified)
                .reversed()
                .thenComparing(file -> file.path().toString()));
        return List.copyOf(found);
    }

    /** Returns a finding if the key in a file is not one of the identity, or another one than the file's name says. */
    private static List<Finding> wrongKey(KeyFile file, Identity read, Identity current) {
        KeyIdentifier key = KeyIdentifier.ofKey(read.certificate());
        if (!idOf(key).equals(file.id())) {
            return List.of(file.finding(
                    "its name says key " + file.id() + ", but it holds key " + idOf(key),
                    "mv " + ShellText.quoted(file.path()) + " "
                            + ShellText.quoted(file.path().resolveSibling(fileName(current.name(), key)))));
        }
        if (!DistinguishedName.of(read.certificate()).equals(DistinguishedName.of(current.certificate()))) {
            return List.of(file.finding(
                    "it holds a key of '"
                            + DistinguishedName.shown(read.certificate()) + "', not of '"
                            + DistinguishedName.shown(current.certificate()) + "'",
                    "rm " + ShellText.quoted(file.path())));
        }
        return List.of();
    }

    /** Returns the finding about a file that cannot be read. */
    private static Finding unreadable(KeyFile file, String name, KeystoreUnusableException problem) {
        String text = String.valueOf(problem.getMessage());
        String prefix = file.path() + ": ";
        return file.finding(
                "the former key is not used: " + (text.startsWith(prefix) ? text.substring(prefix.length()) : text),
                text.contains("wrong password")
                        ? "signet identity password " + name + ", to complete a change of the password"
                        : "signet identity retire " + name + " --key " + file.id() + ", if no message needs it");
    }

    /** Writes all files or none. The key store is the last one, so an identity with a key store is complete. */
    void write(Identity identity, Password password) throws GeneralSecurityException {
        byte[] certificates = Pem.bytes(Stream.concat(Stream.of(identity.certificate()), issuersBelowRoot(identity))
                .toList());
        try (FileChanges files = new FileChanges()) {
            for (Path place : places(identity)) {
                files.add(place, WholeFile.READABLE, certificates);
            }
            files.add(keyStore(identity.name()), WholeFile.PRIVATE, KeyStoreFile.bytes(identity, password));
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
        if (CertificateRules.mayIssue(identity.certificate())) {
            return List.of(trusted);
        }
        Path recipient = recipient(identity.name());
        boolean own = identity.chain().size() == 1 && CertificateRules.isSelfIssued(identity.certificate());
        return own ? List.of(trusted, recipient) : List.of(recipient);
    }

    /** Returns the issuers of an identity that others need beside the root to follow its chain. */
    static Stream<X509Certificate> issuersBelowRoot(Identity identity) {
        return identity.chain().stream().skip(1).filter(issuer -> !CertificateRules.isSelfIssued(issuer));
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
