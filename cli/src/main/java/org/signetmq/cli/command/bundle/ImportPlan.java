/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.signetmq.cli.command.bundle.document.Bundle;
import org.signetmq.cli.command.bundle.document.BundleEntry;
import org.signetmq.cli.command.bundle.document.HomeFolder;
import org.signetmq.keystore.enrolment.RevocationFolder;
import org.signetmq.keystore.home.Home;

/**
 * What an import changes in the folders of a home, and why it may not.
 *
 * @param changes the files to write or delete, in this order
 * @param files the files of the home that belong to the bundle after the import, with their digests
 * @param problems why the import is refused; nothing is written then
 */
record ImportPlan(List<Change> changes, Map<String, String> files, List<String> problems) {
    ImportPlan {
        changes = List.copyOf(changes);
        files = Map.copyOf(files);
        problems = List.copyOf(problems);
    }

    /** The ways to change a file. */
    enum Kind {
        NEW,
        REPLACED,
        REMOVED
    }

    /**
     * One file.
     *
     * @param entry the new content, or the content that goes
     * @param there the files of this name in the home
     */
    record Change(Kind kind, BundleEntry entry, List<String> there) {
        Change {
            there = List.copyOf(there);
        }
    }

    /** Plans an import. A user's own identities and files of others stay. */
    static ImportPlan of(
            Home home, Bundle bundle, ImportRecords records, Optional<ImportRecords.Source> before, boolean mayReplace)
            throws IOException {
        Planning planning = new Planning(
                home, records, before.map(ImportRecords.Source::files).orElse(Map.of()), mayReplace);
        for (HomeFolder folder : HomeFolder.values()) {
            Map<String, HomeFiles.Found> there = HomeFiles.read(home, folder);
            List<BundleEntry> wanted = bundle.entries().stream()
                    .filter(entry -> entry.folder() == folder)
                    .toList();
            wanted.forEach(entry -> planning.add(entry, there));
            Set<String> kept = Set.copyOf(wanted.stream().map(BundleEntry::name).toList());
            there.values().stream()
                    .filter(found -> !kept.contains(found.entry().name()))
                    .forEach(found -> planning.removeIfOwned(found));
        }
        return new ImportPlan(planning.changes, planning.files, planning.problems);
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Builds a plan. */
    private static final class Planning {
        private final Set<String> identities;
        private final List<X509Certificate> trusted;
        private final ImportRecords records;
        private final Map<String, String> owned;
        private final boolean mayReplace;
        private final List<Change> changes = new ArrayList<>();
        private final Map<String, String> files = new HashMap<>();
        private final List<String> problems = new ArrayList<>();

        Planning(Home home, ImportRecords records, Map<String, String> owned, boolean mayReplace) throws IOException {
            this.identities = Set.copyOf(home.identityStore().names());
            this.trusted = HomeFiles.read(home, HomeFolder.TRUST).values().stream()
                    .flatMap(found -> found.entry().certificates().stream())
                    .toList();
            this.records = records;
            this.owned = owned;
            this.mayReplace = mayReplace;
        }

        void add(BundleEntry entry, Map<String, HomeFiles.Found> there) {
            HomeFiles.Found found = there.get(entry.name());
            if (found != null && found.entry().encoded().equals(entry.encoded())) {
                if (owned.containsKey(entry.path()) || records.owns(entry)) {
                    files.put(entry.path(), entry.digest());
                }
                return;
            }
            Optional<String> other = there.keySet().stream()
                    .filter(name -> name.equalsIgnoreCase(entry.name()) && !name.equals(entry.name()))
                    .findFirst();
            if (entry.folder() != HomeFolder.CRL && identities.contains(entry.name())) {
                problems.add(entry.path() + ": '" + entry.name() + "' is an identity of this home, and the bundle has"
                        + " another certificate for it, SHA-256 " + entry.fingerprint());
            } else if (other.isPresent()) {
                problems.add(entry.path() + ": this home has '" + other.get()
                        + "', and some file systems take both names for one");
            } else if (found == null) {
                change(Kind.NEW, entry, List.of());
            } else if (mayReplace || isLaterList(found.entry(), entry)) {
                change(Kind.REPLACED, entry, found.files());
            } else {
                problems.add(entry.path() + ": differs: SHA-256 "
                        + found.entry().fingerprint() + " in this home, " + entry.fingerprint() + " in the bundle");
            }
        }

        private void change(Kind kind, BundleEntry entry, List<String> there) {
            changes.add(new Change(kind, entry, there));
            files.put(entry.path(), entry.digest());
        }

        /** Removes a file that came with the earlier bundle of the signer, and is no longer in it. */
        void removeIfOwned(HomeFiles.Found found) {
            BundleEntry entry = found.entry();
            String path = entry.path();
            boolean isOfOthers = records.sources().stream()
                            .filter(source -> source.files().containsKey(path))
                            .count()
                    > 1;
            if (entry.digest().equals(owned.get(path))
                    && !isOfOthers
                    && (entry.folder() == HomeFolder.CRL || !identities.contains(entry.name()))) {
                changes.add(new Change(Kind.REMOVED, entry, found.files()));
            }
        }

        /** Returns whether a revocation list is a later one of the same issuer and part, which the home trusts. */
        private boolean isLaterList(BundleEntry before, BundleEntry after) {
            if (after.folder() != HomeFolder.CRL
                    || before.encoded().size() != 1
                    || after.encoded().size() != 1) {
                return false;
            }
            X509CRL old = list(before);
            X509CRL now = list(after);
            return RevocationFolder.isForSameCertificates(old, now)
                    && now.getThisUpdate()
                            .toInstant()
                            .isAfter(old.getThisUpdate().toInstant())
                    && trusted.stream().anyMatch(issuer -> isSigned(old, issuer) && isSigned(now, issuer));
        }

        private static boolean isSigned(X509CRL list, X509Certificate issuer) {
            try {
                list.verify(issuer.getPublicKey());
                return list.getIssuerX500Principal().equals(issuer.getSubjectX500Principal());
            } catch (GeneralSecurityException e) {
                return false;
            }
        }

        private static X509CRL list(BundleEntry entry) {
            try {
                return (X509CRL) CertificateFactory.getInstance("X.509")
                        .generateCRL(new ByteArrayInputStream(entry.decoded().get(0)));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("crl: was read before", e);
            }
        }
    }
}
