/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.signetmq.cli.command.bundle.document.BundleEntry;
import org.signetmq.cli.command.bundle.document.Fingerprint;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Json;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.file.OwnedFolder;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.trust.Certificates;

/**
 * The record of a home about the bundles that it imported last, one for each signer.
 *
 * @param sources the signers
 */
record ImportRecords(List<Source> sources) {
    /** The name of the file in the home. */
    static final String FILE = ".bundles.json";

    private static final int MOST_BYTES = 16 << 20;

    ImportRecords {
        sources = List.copyOf(sources);
    }

    /**
     * A signer that a user or the home accepted once.
     *
     * @param key the fingerprint of its key
     * @param path the path that was accepted: the certificate of the signer first, then its issuers; empty if unknown
     * @param withdrawn whether the home takes nothing of it any more
     */
    record Signer(String key, List<X509Certificate> path, boolean withdrawn) {
        Signer {
            path = List.copyOf(path);
        }

        static Signer of(List<X509Certificate> path) {
            return new Signer(Fingerprint.ofKey(path.get(0)), path, false);
        }
    }

    /**
     * The last bundle of a signer.
     *
     * @param signer the signer
     * @param created the time of the export
     * @param digest SHA-256 of the file
     * @param policies the patterns and recovery recipients that came with it
     * @param files the files that came with it, and their digests
     */
    record Source(Signer signer, Instant created, String digest, Brought policies, Map<String, String> files) {
        Source {
            files = Map.copyOf(files);
        }

        String key() {
            return signer.key();
        }

        boolean isWithdrawn() {
            return signer.withdrawn();
        }

        private static Source none(Signer signer) {
            return new Source(signer, Instant.EPOCH, "", Brought.NOTHING, Map.of());
        }
    }

    /**
     * What a bundle brought into the policies of the home.
     *
     * @param patterns the patterns of its policies
     * @param recovery its recovery recipients
     */
    record Brought(List<String> patterns, List<String> recovery) {
        static final Brought NOTHING = new Brought(List.of(), List.of());

        Brought {
            patterns = List.copyOf(patterns);
            recovery = List.copyOf(recovery);
        }

        private Brought and(Brought other) {
            return new Brought(union(patterns, other.patterns), union(recovery, other.recovery));
        }

        private static List<String> union(List<String> one, List<String> other) {
            return Stream.concat(one.stream(), other.stream()).distinct().toList();
        }
    }

    static ImportRecords read(Home home) throws IOException {
        Path file = home.root().resolve(FILE);
        if (!Files.isDirectory(home.root())) {
            return new ImportRecords(List.of());
        }
        try (OwnedFolder folder = OwnedFolder.open(home.root())) {
            Optional<byte[]> content = folder.read(FILE, MOST_BYTES);
            return content.isEmpty()
                    ? new ImportRecords(List.of())
                    : parse(Json.parse(new String(content.get(), StandardCharsets.UTF_8)));
        } catch (IllegalStateException | IllegalArgumentException | DateTimeException | KeystoreUnusableException e) {
            // without the record an old bundle could come back
            throw CliException.configuration(file + ": cannot be read")
                    .hint("restore it; without it the home takes older bundles, so delete it only if that is meant")
                    .causedBy(e);
        }
    }

    private static ImportRecords parse(JsonNode json) {
        List<Source> sources = new ArrayList<>();
        for (JsonNode source : json.path("sources")) {
            Map<String, String> files = new TreeMap<>();
            source.path("files")
                    .properties()
                    .forEach(file -> files.put(file.getKey(), file.getValue().asText()));
            sources.add(new Source(
                    signer(source),
                    Instant.parse(source.path("created").asText()),
                    source.path("sha-256").asText(),
                    new Brought(texts(source.path("patterns")), texts(source.path("recovery"))),
                    files));
        }
        if (!json.path("sources").isArray()) {
            throw new IllegalStateException("no list of sources");
        }
        return new ImportRecords(sources);
    }

    private static Signer signer(JsonNode source) {
        List<X509Certificate> path = new ArrayList<>();
        for (JsonNode certificate : source.path("signer-path")) {
            path.add(Certificates.fromDer(Base64.getDecoder().decode(certificate.asText())));
        }
        String key = source.path("signer-key").asText();
        if (!path.isEmpty() && !Fingerprint.ofKey(path.get(0)).equals(key)) {
            throw new IllegalStateException("a path of another signer");
        }
        return new Signer(key, path, source.path("withdrawn").asBoolean());
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    /** Returns the last bundle of the signer of this file. */
    Optional<Source> of(BundleFile file) {
        return of(Fingerprint.ofKey(file.signer()));
    }

    private Optional<Source> of(String key) {
        return sources.stream().filter(source -> source.key().equals(key)).findFirst();
    }

    /** Returns all certificates of the accepted paths. */
    List<X509Certificate> certificates() {
        return sources.stream()
                .flatMap(source -> source.signer().path().stream())
                .distinct()
                .toList();
    }

    /** Returns these records after the withdrawal of a signer. What it brought stays recorded. */
    ImportRecords withdrawing(String key) {
        Source known = of(key).orElseGet(() -> Source.none(new Signer(key, List.of(), false)));
        return with(new Source(
                new Signer(key, known.signer().path(), true),
                known.created(),
                known.digest(),
                known.policies(),
                known.files()));
    }

    /** Returns whether a file came with a bundle of any signer. */
    boolean owns(BundleEntry entry) {
        return sources.stream()
                .anyMatch(source -> entry.digest().equals(source.files().get(entry.path())));
    }

    /** Returns what came with the last bundle of this signer, and with none of another. */
    Brought own(Source signer) {
        ImportRecords others = new ImportRecords(sources.stream()
                .filter(source -> !source.key().equals(signer.key()))
                .toList());
        return new Brought(
                signer.policies().patterns().stream()
                        .filter(pattern -> !others.ownsPattern(pattern))
                        .toList(),
                signer.policies().recovery().stream()
                        .filter(recipient -> !others.ownsRecovery(recipient))
                        .toList());
    }

    /** Returns whether a policy came with a bundle of any signer. */
    boolean ownsPattern(String pattern) {
        return sources.stream().anyMatch(source -> source.policies().patterns().contains(pattern));
    }

    /** Returns whether a recovery recipient came with a bundle of any signer. */
    boolean ownsRecovery(String recipient) {
        return sources.stream().anyMatch(source -> source.policies().recovery().contains(recipient));
    }

    /** Returns these records after a user replaced policies: those belong to no former signer. */
    ImportRecords without(List<String> replaced) {
        return new ImportRecords(sources.stream()
                .map(source -> new Source(
                        source.signer(),
                        source.created(),
                        source.digest(),
                        new Brought(
                                source.policies().patterns().stream()
                                        .filter(pattern -> !replaced.contains(pattern))
                                        .toList(),
                                source.policies().recovery()),
                        source.files()))
                .toList());
    }

    /** Returns these records with another one for its signer. Signers share what is equal in their bundles. */
    ImportRecords with(Source newest) {
        List<Source> all = new ArrayList<>();
        for (Source source : sources) {
            if (!source.key().equals(newest.key())) {
                Map<String, String> files = new TreeMap<>(source.files());
                files.entrySet().removeIf(file -> {
                    String now = newest.files().get(file.getKey());
                    return now != null && !now.equals(file.getValue()); // both own a file that is in both bundles
                });
                all.add(new Source(source.signer(), source.created(), source.digest(), source.policies(), files));
            }
        }
        all.add(newest);
        return new ImportRecords(all);
    }

    /**
     * Returns the records for the time in which an import is under way: what comes with it belongs to the signer
     * already, so that no interruption leaves a certificate without an owner. The bundle itself is not recorded yet.
     */
    ImportRecords before(Source newest) {
        Source last = of(newest.key()).orElseGet(() -> Source.none(newest.signer()));
        Map<String, String> files = new TreeMap<>(last.files());
        files.putAll(newest.files());
        return with(new Source(
                last.signer(), last.created(), last.digest(), last.policies().and(newest.policies()), files));
    }

    byte[] bytes() {
        ObjectNode json = Json.object().put("schema", 1);
        ArrayNode all = json.putArray("sources");
        for (Source source : sources) {
            ObjectNode entry = all.addObject()
                    .put("signer-key", source.key())
                    .put("created", source.created().toString())
                    .put("sha-256", source.digest());
            ArrayNode path = entry.putArray("signer-path");
            source.signer().path().forEach(certificate -> path.add(encoded(certificate)));
            if (source.signer().withdrawn()) {
                entry.put("withdrawn", true);
            }
            ArrayNode patterns = entry.putArray("patterns");
            source.policies().patterns().forEach(patterns::add);
            ArrayNode recovery = entry.putArray("recovery");
            source.policies().recovery().forEach(recovery::add);
            ObjectNode files = entry.putObject("files");
            new TreeMap<>(source.files()).forEach(files::put);
        }
        return (json.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static String encoded(X509Certificate certificate) {
        try {
            return Base64.getEncoder().encodeToString(certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("certificate: cannot be encoded", e);
        }
    }
}
