/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

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
import org.signetmq.cli.command.bundle.document.BundleEntry;
import org.signetmq.cli.command.bundle.document.HomeFolder;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;

/** The files of a folder of a home, by their names without extensions. */
final class HomeFiles {
    /** The extensions of files that a home reads. */
    private static final List<String> EXTENSIONS = List.of(".pem", ".crt", ".cer", ".der", ".crl");

    private HomeFiles() {}

    /**
     * A file, or several with one name.
     *
     * @param files their names with extensions
     */
    record Found(BundleEntry entry, List<String> files) {
        Found {
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

    /** Reads a folder. An absent one is empty. */
    static Map<String, Found> read(Home home, HomeFolder folder) throws IOException {
        Map<String, Found> found = new TreeMap<>();
        List<Path> paths;
        try (Stream<Path> files = Files.list(folder.in(home))) {
            paths = files.filter(HomeFiles::isRead).sorted().toList();
        } catch (NoSuchFileException e) {
            return found;
        }
        for (Path path : paths) {
            String file = String.valueOf(path.getFileName());
            String name = file.substring(0, file.lastIndexOf('.'));
            found.merge(name, new Found(entry(folder, name, path), List.of(file)), Found::with);
        }
        return found;
    }

    private static boolean isRead(Path path) {
        String name = String.valueOf(path.getFileName());
        return !name.startsWith(".") && EXTENSIONS.stream().anyMatch(name::endsWith);
    }

    private static BundleEntry entry(HomeFolder folder, String name, Path path) {
        if (folder != HomeFolder.CRL) {
            return BundleEntry.ofCertificates(folder, name, Pem.readCertificates(path));
        }
        List<byte[]> lists = new ArrayList<>();
        try {
            for (X509CRL list : Pem.readCrls(path)) {
                lists.add(list.getEncoded());
            }
        } catch (CRLException e) {
            throw new KeystoreUnusableException(path + ": cannot be read", e);
        }
        return BundleEntry.of(folder, name, lists);
    }
}
