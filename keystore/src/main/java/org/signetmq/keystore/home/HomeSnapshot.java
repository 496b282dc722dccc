/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.trust.OcspAnswer;
import org.signetmq.keystore.internal.trust.RevocationList;
import org.signetmq.keystore.internal.x509.FormerCertificates;
import org.signetmq.keystore.internal.x509.HomeCertificates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates, revocations and settings in the files of a home at one time. Immutable. A new snapshot reads only
 * the files that changed since the one before.
 *
 * @param stamps the states of the folders whose new files a message may need at once
 * @param trust the trusted roots
 * @param recipients the certificates of other parties
 * @param crl the revocation lists
 * @param ocsp the OCSP answers
 * @param settings the settings of trust
 * @param policies the certificates of the policies; a file in {@code recipients/} wins over one of the same name
 */
record HomeSnapshot(
        List<FileStamp> stamps,
        Folder<List<X509Certificate>> trust,
        Folder<List<X509Certificate>> recipients,
        Folder<List<RevocationList>> crl,
        Folder<OcspAnswer> ocsp,
        Settings settings,
        PolicyCertificates policies) {
    private static final Logger LOG = LoggerFactory.getLogger(HomeSnapshot.class);
    private static final Set<String> EXTENSIONS = Set.of(".pem", ".crt", ".cer", ".der", ".crl");

    /** Reads the files of a home. A part that did not change is the same object as before. */
    static HomeSnapshot of(Home home, @Nullable HomeSnapshot before, PolicyCertificates policies) {
        return new HomeSnapshot(
                stamps(home), // before the files are listed, so that a change in between is noticed next time
                Folder.of(home.trust(), Pem::readCertificates, before == null ? null : before.trust),
                Folder.of(home.recipients(), Pem::readCertificates, before == null ? null : before.recipients),
                Folder.of(home.crl(), Pem::readLists, before == null ? null : before.crl),
                Folder.of(home.ocsp(), HomeSnapshot::readAnswer, before == null ? null : before.ocsp),
                Settings.of(home, before == null ? null : before.settings),
                policies);
    }

    private static OcspAnswer readAnswer(Path file) {
        try {
            return OcspAnswer.fromDer(BoundedFile.read(file, OcspAnswer.MOST_BYTES));
        } catch (KeystoreUnusableException unusable) {
            throw new KeystoreUnusableException(file.getFileName() + ": " + unusable.getMessage(), unusable);
        }
    }

    /** Returns states that change if a certificate or a key comes, goes or is replaced. */
    static List<FileStamp> stamps(Home home) {
        return Stream.of(home.trust(), home.recipients(), home.identities(), home.formerKeys())
                .map(FileStamp::of)
                .toList();
    }

    /** Tells whether nothing changed but the time. */
    @SuppressWarnings("ReferenceEquality") // unchanged parts are the same objects
    boolean isSame(HomeSnapshot other) {
        return trust == other.trust
                && recipients == other.recipients
                && crl == other.crl
                && ocsp == other.ocsp
                && settings == other.settings
                && policies == other.policies;
    }

    /** Does something with each entry of the policies for whose name {@code recipients/} has no file. */
    void forEachOfPolicies(BiConsumer<String, List<X509Certificate>> action) {
        Set<String> files = recipients.stems();
        for (String name : policies.names()) {
            List<X509Certificate> found = policies.certificates(name);
            if (!found.isEmpty() && !files.contains(name)) {
                action.accept(name, found);
            }
        }
    }

    /** Returns the reason why trust cannot be decided by these files; null if it can. */
    @Nullable
    KeystoreUnusableException problem() {
        return Stream.of(trust.problem(), settings.unusable(), crl.problem(), ocsp.problem(), recipients.problem())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns the certificates of {@code trust/}, {@code recipients/} and the policies under their names. */
    HomeCertificates certificates() {
        List<Recipient> anchors = new ArrayList<>();
        trust.forEachNamed((name, file) -> file.forEach(found -> anchors.add(new Recipient(name, found))));
        List<Recipient> parties = new ArrayList<>();
        recipients.forEachNamed((name, file) ->
                FormerCertificates.withCurrent(file).forEach(found -> parties.add(new Recipient(name, found))));
        List<X509Certificate> helpful =
                new ArrayList<>(recipients.values().flatMap(List::stream).toList());
        forEachOfPolicies((name, entry) -> {
            FormerCertificates.withCurrent(entry).forEach(found -> parties.add(new Recipient(name, found)));
            helpful.addAll(entry);
        });
        return new HomeCertificates(anchors, parties, helpful);
    }

    /** The state of a file when it was read. */
    record FileState(String name, FileStamp stamp) {
        /** Returns the file name without its extension. */
        String stem() {
            return name.substring(0, name.lastIndexOf('.'));
        }
    }

    /** A parsed file, or the reason why it could not be parsed. */
    record Parsed<T>(@Nullable T value, @Nullable String problem) {}

    /**
     * The parsed files of a folder, in the order of their names. An absent folder is empty.
     *
     * @param problem the reason why the folder cannot be used now; null if it can
     */
    record Folder<T>(
            Map<FileState, Parsed<T>> files, @Nullable KeystoreUnusableException problem) {
        private static <T> Folder<T> of(Path folder, Function<Path, T> parser, @Nullable Folder<T> before) {
            Map<FileState, Parsed<T>> known = before == null ? Map.of() : before.files;
            try {
                List<FileState> listing = list(folder);
                if (before != null
                        && before.problem == null
                        && List.copyOf(known.keySet()).equals(listing)) {
                    return before;
                }
                Map<FileState, Parsed<T>> files = new LinkedHashMap<>();
                for (FileState file : listing) {
                    Parsed<T> parsed = known.get(file);
                    files.put(file, parsed == null ? parse(folder.resolve(file.name()), parser) : parsed);
                }
                return new Folder<>(files, null);
            } catch (KeystoreUnusableException e) {
                return new Folder<>(known, e);
            } catch (RuntimeException e) {
                return new Folder<>(known, new KeystoreUnusableException(folder + ": cannot be read", e));
            }
        }

        private static List<FileState> list(Path folder) {
            Map<String, FileState> found = new TreeMap<>();
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    String name = String.valueOf(file.getFileName());
                    if (!name.startsWith(".") && EXTENSIONS.stream().anyMatch(name::endsWith)) {
                        found.put(name, new FileState(name, FileStamp.of(file)));
                    }
                }
            } catch (NoSuchFileException e) {
                return List.of();
            } catch (IOException | UncheckedIOException e) {
                // not empty, because an unreadable crl/ must not mean that nothing is revoked
                throw new KeystoreUnusableException(folder + ": cannot be listed", e);
            }
            PermissionCheck.requireSafe(
                    folder, found.keySet().stream().map(folder::resolve).toList());
            return List.copyOf(found.values());
        }

        private static <T> Parsed<T> parse(Path file, Function<Path, T> parser) {
            try {
                return new Parsed<>(parser.apply(file), null);
            } catch (RuntimeException e) {
                String problem =
                        PrintableText.of(e instanceof KeystoreUnusableException ? e.getMessage() : e.toString());
                LOG.warn("{} is not used: {}", PrintableText.of(file.toString()), problem);
                return new Parsed<>(null, problem);
            }
        }

        /** Returns the names of all files, without their extensions. */
        Set<String> stems() {
            return files.keySet().stream().map(FileState::stem).collect(Collectors.toUnmodifiableSet());
        }

        /** Returns the content of all files that could be parsed. */
        Stream<T> values() {
            return files.values().stream().map(Parsed::value).filter(Objects::nonNull);
        }

        /** Returns the reasons why files could not be parsed. */
        List<String> problems() {
            return files.values().stream()
                    .map(Parsed::problem)
                    .filter(Objects::nonNull)
                    .toList();
        }

        /** Names each parsed file. If two files differ only by extension, a policy means the first. */
        private void forEachNamed(BiConsumer<String, T> action) {
            Set<String> names = new HashSet<>();
            files.forEach((file, parsed) -> {
                if (parsed.value() != null) {
                    action.accept(names.add(file.stem()) ? file.stem() : file.name(), parsed.value());
                }
            });
        }
    }

    /**
     * The settings in {@code trust.json}. While a changed file cannot be used, the last good settings stay in force.
     * Once there was a file, its absence is a problem and no new setting, because an editor or a script may remove it
     * for a moment.
     *
     * @param inForce null if no file could be used yet
     * @param problem the reason why the file cannot be used; null if it can
     * @param wasThere whether there was a file since the program started
     */
    record Settings(
            FileStamp stamp,
            @Nullable TrustFile inForce,
            @Nullable String problem,
            boolean wasThere) {
        private static Settings of(Home home, @Nullable Settings before) {
            Path file = home.trustSettings();
            FileStamp stamp = FileStamp.of(file); // before the file is read, as for folders
            if (before != null && stamp.exists() && stamp.equals(before.stamp)) {
                return before;
            }
            TrustFile inForce = before == null ? null : before.inForce;
            boolean wasThere = stamp.exists() || (before != null && before.wasThere);
            String problem = null;
            // neither a link to nothing nor a file with unreadable attributes is absent
            boolean isGone = !stamp.exists() && Files.notExists(file, LinkOption.NOFOLLOW_LINKS);
            if (stamp.exists()) {
                try {
                    PermissionCheck.requireSafe(home.root(), List.of(file));
                    inForce = TrustFile.read(file);
                } catch (KeystoreUnusableException e) {
                    problem = String.valueOf(e.getMessage());
                }
            } else if (wasThere || !isGone) {
                problem = file + (isGone ? ": removed; put it back, or start the program again" : ": cannot be read");
            } else if (inForce == null) {
                inForce = TrustFile.DEFAULT;
            }
            Settings made = new Settings(stamp, inForce, problem, wasThere);
            if (before != null && made.equals(before)) {
                return before;
            }
            if (problem != null && inForce != null) { // otherwise each use throws the reason
                LOG.warn("the last settings of trust stay in force: {}", PrintableText.of(problem));
            }
            return made;
        }

        @Nullable
        KeystoreUnusableException unusable() {
            return inForce == null ? new KeystoreUnusableException(String.valueOf(problem)) : null;
        }
    }
}
