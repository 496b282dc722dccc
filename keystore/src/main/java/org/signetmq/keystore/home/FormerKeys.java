/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.internal.file.ShellText;
import org.signetmq.keystore.internal.names.FormerCertificates;

/** The files of former keys in a home: {@code NAME.ID.p12}, with the first 16 hex digits of the key identifier. */
final class FormerKeys {
    /** The greatest number of former keys of an identity. */
    static final int MOST = FormerCertificates.MOST;

    /** The greatest number of files that are looked at. */
    private static final int MOST_FILES = 100_000;

    /** The number of hex digits of the key identifier in the name of a file. */
    static final int ID_LENGTH = 16;

    private static final String KEY_STORE = ".p12";
    private static final Pattern ID = Pattern.compile("[0-9a-f]{" + ID_LENGTH + "}");

    private final Path folder;

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
    }

    FormerKeys(Path folder) {
        this.folder = folder;
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
    List<KeyFile> of(String name) {
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
    static List<Finding> wrongKey(KeyFile file, Identity read, Identity current) {
        KeyIdentifier key = KeyIdentifier.ofKey(read.certificate());
        if (!idOf(key).equals(file.id())) {
            return List.of(finding(
                    file,
                    "its name says key " + file.id() + ", but it holds key " + idOf(key),
                    "mv " + ShellText.quoted(file.path()) + " "
                            + ShellText.quoted(file.path().resolveSibling(fileName(current.name(), key)))));
        }
        if (!nameOf(read).equals(nameOf(current))) {
            return List.of(finding(
                    file,
                    "it holds a key of '"
                            + DistinguishedName.shown(read.certificate().getSubjectX500Principal()) + "', not of '"
                            + DistinguishedName.shown(current.certificate().getSubjectX500Principal()) + "'",
                    "rm " + ShellText.quoted(file.path())));
        }
        return List.of();
    }

    /** Returns the finding about a name that is none of a former key. */
    static Finding badName(KeyFile file, String name) {
        return finding(
                file,
                "its name is not " + name + ".ID.p12 with 16 hex digits of the key id, in lower case",
                "rm " + ShellText.quoted(file.path()));
    }

    /** Returns the finding about a file that cannot be read. */
    static Finding unreadable(KeyFile file, String name, KeystoreUnusableException problem) {
        String text = String.valueOf(problem.getMessage());
        String prefix = file.path() + ": ";
        return finding(
                file,
                "the former key is not used: " + (text.startsWith(prefix) ? text.substring(prefix.length()) : text),
                text.contains("wrong password")
                        ? "signet identity password " + name + ", to complete a change of the password"
                        : "signet identity retire " + name + " --key " + file.id() + ", if no message needs it");
    }

    /** Returns the finding about more keys than are used. */
    Finding tooMany(String name, int count) {
        return new Finding(
                ShellText.shown(folder),
                "identity '" + name + "' has " + count + " former keys, and only the newest " + MOST + " are used",
                "signet identity retire " + name + " --key ID, for keys that no message needs");
    }

    private static Finding finding(KeyFile file, String what, String mend) {
        return new Finding(ShellText.shown(file.path()), what, mend);
    }

    private static DistinguishedName nameOf(Identity identity) {
        return DistinguishedName.of(identity.certificate().getSubjectX500Principal());
    }
}
