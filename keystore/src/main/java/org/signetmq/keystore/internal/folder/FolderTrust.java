/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.names.FormerCertificates;
import org.signetmq.keystore.internal.names.HomeCertificates;
import org.signetmq.keystore.internal.x509.RevocationLists;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.TrustedCertificate;

/** Trust by the folders of a home. Thread-safe. */
public final class FolderTrust implements CertificateTrust {
    private final WatchedFolder<List<X509Certificate>> trust;
    private final WatchedFolder<List<X509CRL>> crl;
    private final WatchedFolder<List<X509Certificate>> recipients;
    private final LongAdder verifications = new LongAdder();
    private final LongSupplier nanoTime;
    private volatile @Nullable TrustSnapshot state;
    private volatile @Nullable SettledVersion settled;

    /** A version that does not change until a time of the monotonic clock, because no folder is listed before. */
    private record SettledVersion(long version, long until) {}

    public FolderTrust(CertificateFolders home, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.trust = new WatchedFolder<>(home.trust(), CertificateFiles::readCertificates, nanoTime);
        this.crl = new WatchedFolder<>(home.crl(), CertificateFiles::readCrls, nanoTime);
        this.recipients = new WatchedFolder<>(home.recipients(), CertificateFiles::readCertificates, nanoTime);
    }

    @Override
    public TrustedCertificate verify(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        TrustSnapshot known = current();
        try {
            TrustedCertificate found = known.verify(certificate, others, use, at);
            TrustSnapshot now = found.hasNameOfAnotherKey() ? afterMiss() : known;
            return now.version() == known.version() ? found : now.verify(certificate, others, use, at);
        } catch (CertificateRejectedException rejected) {
            TrustSnapshot now = rejected.reason() == Reason.UNTRUSTED ? afterMiss() : known;
            if (now.version() == known.version()) {
                throw rejected;
            }
            return now.verify(certificate, others, use, at);
        }
    }

    /**
     * Looks for new certificates, because each folder is listed at a time of its own. Without this, the certificate of
     * a renewed recipient could be known up to a second before it is trusted. A renewed signer could be without its
     * name.
     */
    private TrustSnapshot afterMiss() {
        trust.refresh();
        recipients.refresh();
        settled = null;
        return current();
    }

    @Override
    public List<Recipient> trusted() {
        return current().trusted();
    }

    @Override
    public long version() {
        SettledVersion known = settled;
        return known != null && nanoTime.getAsLong() - known.until() < 0
                ? known.version()
                : current().version();
    }

    @Override
    public long signatureVerifications() {
        return verifications.sum();
    }

    private TrustSnapshot current() {
        WatchedFolder.Settled<List<X509Certificate>> inTrust = trust.settled();
        WatchedFolder.Settled<List<X509CRL>> inCrl = crl.settled();
        WatchedFolder.Settled<List<X509Certificate>> inRecipients = recipients.settled();
        WatchedFolder.Contents<List<X509Certificate>> trusted = inTrust.contents();
        WatchedFolder.Contents<List<X509CRL>> revoked = inCrl.contents();
        WatchedFolder.Contents<List<X509Certificate>> helpful = inRecipients.contents();
        // versions only grow, so a different state has a different sum
        long version = trusted.version() + revoked.version() + helpful.version();
        TrustSnapshot known = state;
        if (known != null && known.version() == version) {
            settled =
                    new SettledVersion(version, earlier(inTrust.until(), earlier(inCrl.until(), inRecipients.until())));
            return known;
        }
        HomeCertificates home = certificates(trusted, helpful);
        List<String> unreadable = revoked.files().values().stream()
                .map(WatchedFolder.Parsed::problem)
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .toList();
        TrustSnapshot made = new TrustSnapshot(
                version, home, new RevocationLists(values(revoked), unreadable, home.all()), verifications);
        state = made;
        return made;
    }

    /** Returns the earlier of two times of the monotonic clock, which may overflow between them. */
    private static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }

    private static HomeCertificates certificates(
            WatchedFolder.Contents<List<X509Certificate>> trusted,
            WatchedFolder.Contents<List<X509Certificate>> helpful) {
        List<Recipient> anchors = new ArrayList<>();
        Set<String> names = new HashSet<>();
        trusted.files().forEach((file, parsed) -> {
            if (parsed.value() != null) {
                // if two files differ only by extension, a policy means the first
                String name = names.add(file.stem()) ? file.stem() : file.name();
                parsed.value().forEach(certificate -> anchors.add(new Recipient(name, certificate)));
            }
        });
        List<Recipient> parties = new ArrayList<>();
        Set<String> partyNames = new HashSet<>();
        helpful.files().forEach((file, parsed) -> {
            if (parsed.value() != null) {
                String name = partyNames.add(file.stem()) ? file.stem() : file.name();
                FormerCertificates.withCurrent(parsed.value())
                        .forEach(certificate -> parties.add(new Recipient(name, certificate)));
            }
        });
        return new HomeCertificates(anchors, parties, values(helpful));
    }

    private static <T> List<T> values(WatchedFolder.Contents<List<T>> contents) {
        return contents.files().values().stream()
                .map(WatchedFolder.Parsed::value)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .collect(Collectors.toUnmodifiableList());
    }
}
