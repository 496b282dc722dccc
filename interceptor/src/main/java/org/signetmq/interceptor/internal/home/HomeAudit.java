/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.AuditedFolder;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.file.FileStamp;

/** Compares the entries of a home with those of the last look, and records the changes. Not thread-safe. */
final class HomeAudit {
    /** The greatest number of revocation lists that are compared. */
    private static final int MOST_LISTS = 1000;

    private final AuditLog audit;
    private @Nullable Seen last;

    /**
     * The entries of one look, by name.
     *
     * @param certificates the version of the recipients
     * @param trust the version of the trust
     */
    private record Seen(
            long certificates,
            long trust,
            SortedMap<String, X509Certificate> identities,
            SortedMap<String, X509Certificate> recipients,
            SortedMap<String, X509Certificate> trusted,
            SortedMap<String, FileStamp> lists) {}

    HomeAudit(AuditLog audit) {
        this.audit = audit;
    }

    /** Records the changes since the last look. The first look records nothing. It throws no exception. */
    void look(LoadedHome home) {
        try {
            Seen before = last;
            Seen now = see(home, before);
            last = now;
            if (before != null) {
                note(AuditedFolder.IDENTITIES, before.identities(), now.identities());
                note(AuditedFolder.RECIPIENTS, before.recipients(), now.recipients());
                note(AuditedFolder.TRUST, before.trusted(), now.trusted());
                note(AuditedFolder.CRL, before.lists(), now.lists());
            }
        } catch (RuntimeException | IOException unseen) {
            PluginLog.LOG.debug("the changes of the home could not be recorded", unseen);
        }
    }

    private void note(AuditedFolder folder, Map<String, ?> before, Map<String, ?> now) {
        if (!before.equals(now)) {
            audit.folderChanged(folder, before, now);
        }
    }

    /**
     * Lists the entries that may have changed. A version is read before its entries, so that a later change is seen
     * later.
     */
    private static Seen see(LoadedHome home, @Nullable Seen before) throws IOException {
        HomeNames names = home.names();
        long certificates = names.certificates().version();
        long trust = names.trust().version();
        return new Seen(
                certificates,
                trust,
                identities(home.identities(), before),
                before != null && before.certificates() == certificates
                        ? before.recipients()
                        : byName(Stream.concat(
                                        names.certificates().all().stream(), names.certificates().former().stream())
                                .toList()),
                before != null && before.trust() == trust
                        ? before.trusted()
                        : byName(names.trust().trusted()),
                before != null && before.trust() == trust
                        ? before.lists()
                        : files(names.home().crl()));
    }

    /** Returns the loaded identities. One that the plugin forgot is still known while its file exists. */
    private static SortedMap<String, X509Certificate> identities(Identities identities, @Nullable Seen before) {
        Map<String, X509Certificate> loaded = identities.loaded();
        if (before != null && before.identities().equals(loaded)) {
            return before.identities();
        }
        SortedMap<String, X509Certificate> known = new TreeMap<>(loaded);
        if (before != null) {
            before.identities().forEach((name, certificate) -> {
                if (!known.containsKey(name) && identities.hasKeyStore(name)) {
                    known.put(name, certificate);
                }
            });
        }
        return known;
    }

    /** Returns the certificates by name. Further certificates of one file have a number behind its name. */
    private static SortedMap<String, X509Certificate> byName(List<Recipient> entries) {
        SortedMap<String, X509Certificate> byName = new TreeMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (Recipient entry : entries) {
            int number = counts.merge(entry.name(), 1, Integer::sum);
            byName.put(number == 1 ? entry.name() : entry.name() + '#' + number, entry.certificate());
        }
        return byName;
    }

    private static SortedMap<String, FileStamp> files(Path folder) throws IOException {
        SortedMap<String, FileStamp> files = new TreeMap<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> listed = Files.newDirectoryStream(folder)) {
                for (Path file : listed) {
                    if (files.size() < MOST_LISTS) {
                        files.put(String.valueOf(file.getFileName()), FileStamp.of(file));
                    }
                }
            }
        }
        return files;
    }
}
