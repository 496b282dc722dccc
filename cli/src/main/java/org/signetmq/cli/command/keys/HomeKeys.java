/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.keys;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.signetmq.envelope.EnvelopeParties;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;

/** The keys that a home has certificates of, by the names that envelopes have for them. Immutable. */
public final class HomeKeys {
    private static final String SUFFIX = ".pem";

    private final Map<String, Set<Known>> byName;

    /**
     * A key that a home knows.
     *
     * @param name of its party in the home
     * @param keyId the identifier that Signet computes from the key, in hex
     * @param state {@code current}; {@code former}, or {@code next}, for the certificates behind the first one of a
     *     file
     */
    public record Known(String name, String keyId, String state) {
        private boolean isSameKey(Known other) {
            return name.equals(other.name) && keyId.equals(other.keyId);
        }

        @Override
        public String toString() {
            return state.equals("current") ? name : name + " (" + state + ")";
        }
    }

    private HomeKeys(Map<String, Set<Known>> byName) {
        this.byName = byName;
    }

    /** Returns no keys, for a command without a home. */
    static HomeKeys none() {
        return new HomeKeys(Map.of());
    }

    /** Reads the certificates of a home, those of its own identities first. It needs no password. */
    public static HomeKeys of(Home home) throws IOException {
        List<String> own = home.identityStore().names();
        List<Path> files = files(home);
        Map<String, Set<Known>> byName = new LinkedHashMap<>();
        files.stream().filter(file -> own.contains(name(file))).forEach(file -> add(file, byName));
        files.stream().filter(file -> !own.contains(name(file))).forEach(file -> add(file, byName));
        return new HomeKeys(byName);
    }

    /** Returns the files with certificates of a home. */
    public static List<Path> files(Home home) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path folder : List.of(home.recipients(), home.trust())) {
            if (Files.isDirectory(folder)) {
                try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
                    found.forEach(files::add);
                }
            }
        }
        return files;
    }

    private static String name(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(0, name.length() - SUFFIX.length());
    }

    private static void add(Path file, Map<String, Set<Known>> byName) {
        List<X509Certificate> certificates = Pem.readCertificates(file);
        for (X509Certificate certificate : certificates) {
            Known known = new Known(
                    name(file), KeyIdentifier.ofKey(certificate).toString(), state(certificate, certificates.get(0)));
            for (String name : EnvelopeParties.namesOf(certificate)) {
                Set<Known> keys = byName.computeIfAbsent(name, unused -> new LinkedHashSet<>());
                if (keys.stream().noneMatch(known::isSameKey)) {
                    keys.add(known);
                }
            }
        }
    }

    private static String state(X509Certificate certificate, X509Certificate first) {
        if (KeyIdentifier.ofKey(certificate).equals(KeyIdentifier.ofKey(first))) {
            return "current";
        }
        return starts(certificate).isAfter(starts(first)) ? "next" : "former";
    }

    private static Instant starts(X509Certificate certificate) {
        return certificate.getNotBefore().toInstant();
    }

    /** Returns the names that envelopes have for all keys. */
    Collection<String> names() {
        return byName.keySet();
    }

    /** Returns the keys that an envelope may mean by a name. Several certificates may claim the same identifier. */
    public Set<Known> named(String name) {
        return byName.getOrDefault(name, Set.of());
    }

    /**
     * Returns the names that envelopes have for keys of a party.
     *
     * @param keyId the first digits of the identifiers of the keys, in hex
     */
    public Set<String> namesOf(String party, String keyId) {
        Set<String> names = new LinkedHashSet<>();
        byName.forEach((name, keys) -> {
            if (keys.stream()
                    .anyMatch(key -> key.name().equals(party) && key.keyId().startsWith(keyId))) {
                names.add(name);
            }
        });
        return names;
    }
}
