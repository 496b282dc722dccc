/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.AuditedFolder;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.home.HomeReader;

/** Compares the entries of a home with those of the last look, and records the changes. Not thread-safe. */
final class HomeAudit {
    /** The greatest number of revocation lists that are compared. */
    private static final int MOST_LISTS = 1000;

    private final AuditLog audit;
    private long version;

    /** The entries of the last look, by name; empty before it. */
    private Map<AuditedFolder, SortedMap<String, ?>> last = Map.of();

    HomeAudit(AuditLog audit) {
        this.audit = audit;
    }

    /** Records the changes since the last look. The first look records nothing. It throws no exception. */
    void look(LoadedHome home) {
        try {
            Map<AuditedFolder, SortedMap<String, ?>> before = last;
            long files = home.names().files().version(); // before its entries, so that a later change is seen later
            Map<AuditedFolder, SortedMap<String, ?>> now = new EnumMap<>(AuditedFolder.class);
            now.putAll(before);
            now.put(AuditedFolder.IDENTITIES, identities(home.identities(), before.get(AuditedFolder.IDENTITIES)));
            if (before.isEmpty() || files != version) {
                see(home.names(), now);
            }
            last = now;
            version = files;
            before.forEach((folder, entries) -> {
                SortedMap<String, ?> entriesNow = Objects.requireNonNull(now.get(folder));
                if (!entries.equals(entriesNow)) {
                    audit.folderChanged(folder, entries, entriesNow);
                }
            });
        } catch (RuntimeException | IOException unseen) {
            PluginLog.LOG.debug("the changes of the home could not be recorded", unseen);
        }
    }

    private static void see(HomeNames names, Map<AuditedFolder, SortedMap<String, ?>> now) throws IOException {
        HomeReader files = names.files();
        now.put(
                AuditedFolder.RECIPIENTS,
                byName(Stream.concat(files.all().stream(), files.former().stream())
                        .toList()));
        now.put(AuditedFolder.TRUST, byName(files.trusted()));
        now.put(AuditedFolder.CRL, files(names.home().crl()));
        now.put(AuditedFolder.OCSP, files(names.home().ocsp()));
        FileStamp settings = FileStamp.of(names.home().trustSettings());
        now.put(AuditedFolder.HOME, new TreeMap<>(settings.exists() ? Map.of("trust.json", settings) : Map.of()));
    }

    /** Returns the loaded identities. One that the plugin forgot is still known while its file exists. */
    private static SortedMap<String, ?> identities(Identities identities, @Nullable SortedMap<String, ?> before) {
        SortedMap<String, Object> known = new TreeMap<>(identities.loaded());
        if (before != null) {
            before.forEach((name, certificate) -> {
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
