/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Json;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.trust.Certificates;

/**
 * The record of a home about the bundles that it imported last, one for each signer. The components are those in JSON.
 *
 * @param sources the signers
 */
record ImportRecords(int schema, List<Source> sources) {
    private static final String FILE = ".bundles.json";
    private static final int MOST_BYTES = 16 << 20;

    ImportRecords {
        sources = List.copyOf(sources);
    }

    /** The kinds of things that a bundle brings. */
    enum Kind {
        FILE,
        POLICY,
        RECOVERY
    }

    /**
     * A thing that came with a bundle.
     *
     * @param name the path of a file, the pattern of a policy, or a recovery recipient
     * @param digest the digest of a file; else empty
     */
    record Thing(Kind kind, String name, String digest) {
        static Thing of(Bundle.Entry file) {
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
     * @param signerKey the fingerprint of its key
     * @param created the time of the export
     * @param digest SHA-256 of the file
     * @param signerPath the path that was accepted: the certificate of the signer first, then its issuers, in base 64;
     *     empty if unknown
     * @param withdrawn whether the home takes nothing of it any more
     * @param patterns the policies that came with it
     * @param recovery the recovery recipients that came with it
     * @param files the digests of the files that came with it, by their paths
     */
    record Source(
            String signerKey,
            String created,
            @JsonProperty("sha-256") String digest,
            List<String> signerPath,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean withdrawn,
            List<String> patterns,
            List<String> recovery,
            SortedMap<String, String> files) {
        /** Returns a signer with its bundle. */
        static Source of(List<X509Certificate> path, Instant created, String digest, Collection<Thing> brought) {
            List<String> encoded = path.stream()
                    .map(PublicKeyInfo::encoded)
                    .map(Base64.getEncoder()::encodeToString)
                    .toList();
            return none(Fingerprint.ofKey(path.get(0)), created, digest, encoded)
                    .with(brought);
        }

        /** Returns a signer whose bundle brought nothing. */
        private static Source none(String key, Instant created, String digest, List<String> path) {
            return new Source(key, created.toString(), digest, path, false, List.of(), List.of(), new TreeMap<>());
        }

        /** Returns the same source with other things. */
        private Source with(Collection<Thing> brought) {
            SortedMap<String, String> digests = new TreeMap<>();
            brought.stream()
                    .filter(thing -> thing.kind() == Kind.FILE)
                    .forEach(file -> digests.put(file.name(), file.digest())); // the last of a name is the newest
            return new Source(
                    signerKey,
                    created,
                    digest,
                    signerPath,
                    withdrawn,
                    names(brought, Kind.POLICY),
                    names(brought, Kind.RECOVERY),
                    digests);
        }

        private static List<String> names(Collection<Thing> things, Kind kind) {
            return things.stream()
                    .filter(thing -> thing.kind() == kind)
                    .map(Thing::name)
                    .distinct()
                    .toList();
        }

        /** Returns what came with the bundle. */
        Set<Thing> brought() {
            Set<Thing> brought = new LinkedHashSet<>();
            patterns.forEach(pattern -> brought.add(Thing.policy(pattern)));
            recovery.forEach(name -> brought.add(Thing.recovery(name)));
            files.forEach((path, content) -> brought.add(new Thing(Kind.FILE, path, content)));
            return brought;
        }

        List<X509Certificate> path() {
            return signerPath.stream()
                    .map(Base64.getDecoder()::decode)
                    .map(Certificates::fromDer)
                    .toList();
        }

        Instant time() {
            return Instant.parse(created);
        }

        private Source checked() {
            Instant unused = time();
            List<X509Certificate> path = path();
            if (!path.isEmpty() && !Fingerprint.ofKey(path.get(0)).equals(signerKey)) {
                throw new IllegalStateException("a path of another signer");
            }
            return this;
        }
    }

    static ImportRecords read(Home home) throws IOException {
        if (!Files.isDirectory(home.root())) {
            return new ImportRecords(1, List.of());
        }
        try {
            Optional<byte[]> content = file(home).read(MOST_BYTES);
            if (content.isEmpty()) {
                return new ImportRecords(1, List.of());
            }
            ImportRecords records = Json.read(new String(content.get(), StandardCharsets.UTF_8), ImportRecords.class);
            records.sources.forEach(Source::checked);
            return records;
        } catch (IllegalStateException
                | IllegalArgumentException
                | NullPointerException
                | DateTimeException
                | KeystoreUnusableException e) {
            // without the record an old bundle could come back
            throw CliException.configuration(home.root().resolve(FILE) + ": cannot be read")
                    .hint("restore it; without it the home takes older bundles, so delete it only if that is meant")
                    .causedBy(e);
        }
    }

    /** Returns the file with the records of a home. */
    static WholeFile file(Home home) {
        return new WholeFile(home.root().resolve(FILE));
    }

    /** Waits for other imports into a home, which is made if it is absent. The caller closes the lock. */
    static FileChannel lock(Home home) throws IOException {
        WholeFile.makeFolder(home.root());
        return new WholeFile(home.root().resolve(".bundles.lock")).lock();
    }

    void write(Home home) throws IOException {
        ObjectNode json = Json.answer(this);
        file(home).write((json.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8), WholeFile.READABLE);
    }

    /** Returns the signer with a key. */
    Optional<Source> of(String key) {
        return sources.stream().filter(source -> source.signerKey().equals(key)).findFirst();
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
        Set<Thing> own = of(key).map(Source::brought).orElseGet(LinkedHashSet::new);
        others(key).forEach(other -> own.removeAll(other.brought()));
        return own;
    }

    private List<Source> others(String key) {
        return sources.stream()
                .filter(source -> !source.signerKey().equals(key))
                .toList();
    }

    /** Returns these records after the withdrawal of a signer. What it brought stays recorded. */
    ImportRecords withdrawing(String key) {
        Source known = of(key).orElseGet(() -> Source.none(key, Instant.EPOCH, "", List.of()));
        return with(new Source(
                key,
                known.created(),
                known.digest(),
                known.signerPath(),
                true,
                known.patterns(),
                known.recovery(),
                known.files()));
    }

    /** Returns these records without things that no longer come from their signers. */
    ImportRecords without(Collection<Thing> things) {
        return new ImportRecords(
                schema,
                sources.stream()
                        .map(source -> {
                            Set<Thing> left = source.brought();
                            things.forEach(left::remove);
                            return source.with(left);
                        })
                        .toList());
    }

    /** Returns these records with another one for its signer. */
    ImportRecords with(Source newest) {
        return new ImportRecords(
                schema,
                Stream.concat(others(newest.signerKey()).stream(), Stream.of(newest))
                        .toList());
    }

    /**
     * Returns the records for the time in which an import is under way: what comes with it belongs to the signer
     * already, so that no interruption leaves a certificate without an owner. The bundle itself is not recorded yet.
     */
    ImportRecords before(Source newest) {
        Source last = of(newest.signerKey())
                .orElseGet(() -> Source.none(newest.signerKey(), Instant.EPOCH, "", newest.signerPath()));
        List<Thing> both = new ArrayList<>(last.brought());
        both.addAll(newest.brought());
        return with(last.with(both));
    }
}
