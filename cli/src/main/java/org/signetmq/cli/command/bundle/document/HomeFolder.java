/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CRLException;
import java.security.cert.X509CRL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;

/** A folder of a home whose files a bundle may have. */
public enum HomeFolder {
    RECIPIENTS("recipients", ".pem"),
    TRUST("trust", ".pem"),
    CRL("crl", ".crl");

    /** The extensions of files that a home reads. */
    private static final List<String> EXTENSIONS = List.of(".pem", ".crt", ".cer", ".der", ".crl");

    private final String key;
    private final String extension;

    HomeFolder(String key, String extension) {
        this.key = key;
        this.extension = extension;
    }

    /** Returns the name of the folder, which is the key in a bundle. */
    public String key() {
        return key;
    }

    /** Returns the name of a new file. */
    public String file(String name) {
        return name + extension;
    }

    public Path in(Home home) {
        return switch (this) {
            case RECIPIENTS -> home.recipients();
            case TRUST -> home.trust();
            case CRL -> home.crl();
        };
    }

    /**
     * A file, or several with one name.
     *
     * @param files their names with extensions
     */
    public record Found(BundleEntry entry, List<String> files) {
        public Found {
            files = List.copyOf(files);
        }

        private Found with(Found other) {
            List<String> encoded = new ArrayList<>(entry.encoded());
            encoded.addAll(other.entry().encoded());
            List<String> names = new ArrayList<>(files);
            names.addAll(other.files());
            return new Found(new BundleEntry(entry.folder(), entry.name(), encoded), names);
        }
    }

    /** Reads the files of the folder in a home, by their names without extensions. An absent folder is empty. */
    public Map<String, Found> read(Home home) throws IOException {
        Map<String, Found> found = new TreeMap<>();
        List<Path> paths;
        try (Stream<Path> files = Files.list(in(home))) {
            paths = files.filter(HomeFolder::isRead).sorted().toList();
        } catch (NoSuchFileException e) {
            return found;
        }
        for (Path path : paths) {
            String file = String.valueOf(path.getFileName());
            String name = file.substring(0, file.lastIndexOf('.'));
            found.merge(name, new Found(entry(name, path), List.of(file)), Found::with);
        }
        return found;
    }

    private static boolean isRead(Path path) {
        String name = String.valueOf(path.getFileName());
        return !name.startsWith(".") && EXTENSIONS.stream().anyMatch(name::endsWith);
    }

    private BundleEntry entry(String name, Path path) {
        if (this != CRL) {
            return BundleEntry.ofCertificates(this, name, Pem.readCertificates(path));
        }
        List<byte[]> lists = new ArrayList<>();
        try {
            for (X509CRL list : Pem.readCrls(path)) {
                lists.add(list.getEncoded());
            }
        } catch (CRLException e) {
            throw new KeystoreUnusableException(path + ": cannot be read", e);
        }
        return BundleEntry.of(this, name, lists);
    }
}
