/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.signetmq.cli.command.bundle.document.BundleEntry;
import org.signetmq.cli.command.bundle.document.Fingerprint;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Json;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.file.WholeFile;
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

    /** The kinds of things that a bundle brings, by their keys in the record. */
    enum Kind {
        FILE("files"),
        POLICY("patterns"),
        RECOVERY("recovery");

        private final String key;

        Kind(String key) {
            this.key = key;
        }
    }

    /**
     * A thing that came with a bundle.
     *
     * @param name the path of a file, the pattern of a policy, or a recovery recipient
     * @param digest the digest of a file; else empty
     */
    record Thing(Kind kind, String name, String digest) {
        static Thing of(BundleEntry file) {
            return new Thing(Kind.FILE, file.path(), file.digest());
        }

        static Thing policy(String pattern) {
            return new Thing(Kind.POLICY, pattern, "");
        }

        static Thing recovery(String recipient) {
            return new Thing(Kind.RECOVERY, recipient, "");
        }
    }

    /**
     * A signer that a user or the home accepted once, and its last bundle.
     *
     * @param key the fingerprint of its key
     * @param path the path that was accepted: the certificate of the signer first, then its issuers; empty if unknown
     * @param isWithdrawn whether the home takes nothing of it any more
     * @param created the time of the export
     * @param digest SHA-256 of the file
     * @param brought what came with it, in its order
     */
    record Source(
            String key,
            List<X509Certificate> path,
            boolean isWithdrawn,
            Instant created,
            String digest,
            Set<Thing> brought) {
        Source {
            path = List.copyOf(path);
            brought = Collections.unmodifiableSet(new LinkedHashSet<>(brought));
        }

        /** Returns a signer without a bundle. */
        static Source none(String key, List<X509Certificate> path) {
            return new Source(key, path, false, Instant.EPOCH, "", Set.of());
        }

        private Source withdrawn() {
            return new Source(key, path, true, created, digest, brought);
        }

        private Source with(Set<Thing> others) {
            return new Source(key, path, isWithdrawn, created, digest, others);
        }
    }

    static ImportRecords read(Home home) throws IOException {
        if (!Files.isDirectory(home.root())) {
            return new ImportRecords(List.of());
        }
        try {
            Optional<byte[]> content = new WholeFile(home.root().resolve(FILE)).read(MOST_BYTES);
            return content.isEmpty()
                    ? new ImportRecords(List.of())
                    : parse(Json.parse(new String(content.get(), StandardCharsets.UTF_8)));
        } catch (IllegalStateException | IllegalArgumentException | DateTimeException | KeystoreUnusableException e) {
            // without the record an old bundle could come back
            throw CliException.configuration(home.root().resolve(FILE) + ": cannot be read")
                    .hint("restore it; without it the home takes older bundles, so delete it only if that is meant")
                    .causedBy(e);
        }
    }

    private static ImportRecords parse(JsonNode json) {
        if (!json.path("sources").isArray()) {
            throw new IllegalStateException("no list of sources");
        }
        List<Source> sources = new ArrayList<>();
        for (JsonNode source : json.path("sources")) {
            List<X509Certificate> path = new ArrayList<>();
            source.path("signer-path")
                    .forEach(one ->
                            path.add(Certificates.fromDer(Base64.getDecoder().decode(one.asText()))));
            String key = source.path("signer-key").asText();
            if (!path.isEmpty() && !Fingerprint.ofKey(path.get(0)).equals(key)) {
                throw new IllegalStateException("a path of another signer");
            }
            Set<Thing> brought = new LinkedHashSet<>();
            source.path(Kind.POLICY.key).forEach(pattern -> brought.add(Thing.policy(pattern.asText())));
            source.path(Kind.RECOVERY.key).forEach(name -> brought.add(Thing.recovery(name.asText())));
            source.path(Kind.FILE.key)
                    .properties()
                    .forEach(file -> brought.add(
                            new Thing(Kind.FILE, file.getKey(), file.getValue().asText())));
            sources.add(new Source(
                    key,
                    path,
                    source.path("withdrawn").asBoolean(),
                    Instant.parse(source.path("created").asText()),
                    source.path("sha-256").asText(),
                    brought));
        }
        return new ImportRecords(sources);
    }

    /** Returns the signer with a key. */
    Optional<Source> of(String key) {
        return sources.stream().filter(source -> source.key().equals(key)).findFirst();
    }

    /** Returns all certificates of the accepted paths. */
    List<X509Certificate> certificates() {
        return sources.stream()
                .flatMap(source -> source.path().stream())
                .distinct()
                .toList();
    }

    /** Returns whether a thing came with a bundle of any signer. */
    boolean has(Thing thing) {
        return sources.stream().anyMatch(source -> source.brought().contains(thing));
    }

    /** Returns what came with the last bundle of this signer, and with none of another. */
    Set<Thing> ofAlone(String key) {
        Set<Thing> own = new LinkedHashSet<>(of(key).map(Source::brought).orElse(Set.of()));
        sources.stream().filter(source -> !source.key().equals(key)).forEach(other -> own.removeAll(other.brought()));
        return own;
    }

    /** Returns these records after the withdrawal of a signer. What it brought stays recorded. */
    ImportRecords withdrawing(String key) {
        return with(of(key).orElseGet(() -> Source.none(key, List.of())).withdrawn());
    }

    /** Returns these records without things that no longer come from their signers. */
    ImportRecords without(Collection<Thing> things) {
        List<Source> all = new ArrayList<>();
        for (Source source : sources) {
            Set<Thing> left = new LinkedHashSet<>(source.brought());
            things.forEach(left::remove);
            all.add(source.with(left));
        }
        return new ImportRecords(all);
    }

    /** Returns these records with another one for its signer. */
    ImportRecords with(Source newest) {
        List<Source> all = new ArrayList<>(sources);
        all.removeIf(source -> source.key().equals(newest.key()));
        all.add(newest);
        return new ImportRecords(all);
    }

    /**
     * Returns the records for the time in which an import is under way: what comes with it belongs to the signer
     * already, so that no interruption leaves a certificate without an owner. The bundle itself is not recorded yet.
     */
    ImportRecords before(Source newest) {
        Source last = of(newest.key()).orElseGet(() -> Source.none(newest.key(), newest.path()));
        Set<Thing> both = new LinkedHashSet<>(last.brought());
        both.addAll(newest.brought());
        return with(last.with(both));
    }

    byte[] bytes() {
        ObjectNode json = Json.object().put("schema", 1);
        json.putArray("sources")
                .addAll(sources.stream().map(ImportRecords::json).toList());
        return (json.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static ObjectNode json(Source source) {
        ObjectNode json = Json.object()
                .put("signer-key", source.key())
                .put("created", source.created().toString())
                .put("sha-256", source.digest());
        ArrayNode path = json.putArray("signer-path");
        source.path().forEach(certificate -> path.add(encoded(certificate)));
        if (source.isWithdrawn()) {
            json.put("withdrawn", true);
        }
        ArrayNode patterns = json.putArray(Kind.POLICY.key);
        ArrayNode recovery = json.putArray(Kind.RECOVERY.key);
        Map<String, String> files = new TreeMap<>();
        for (Thing thing : source.brought()) {
            switch (thing.kind()) {
                case POLICY -> patterns.add(thing.name());
                case RECOVERY -> recovery.add(thing.name());
                case FILE ->
                    files.put(thing.name(), thing.digest()); // while an import runs: the new one, which is last
            }
        }
        files.forEach(json.putObject(Kind.FILE.key)::put);
        return json;
    }

    private static String encoded(X509Certificate certificate) {
        try {
            return Base64.getEncoder().encodeToString(certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("certificate: cannot be encoded", e);
        }
    }
}
