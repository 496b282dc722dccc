/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
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
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.names.FormerCertificates;
import org.signetmq.keystore.internal.names.HomeCertificates;
import org.signetmq.keystore.internal.revocation.RevocationUpdater;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Trust by the folders of a home. Thread-safe. */
public final class FolderTrust implements CertificateTrust {
    private static final Logger LOG = LoggerFactory.getLogger(FolderTrust.class);

    private final WatchedFolder<List<X509Certificate>> trust;
    private final HomeRevocations revocations;
    private final WatchedFolder<List<X509Certificate>> recipients;
    private final LongAdder verifications = new LongAdder();
    private final LongSupplier nanoTime;
    private volatile @Nullable TrustSnapshot state;
    private volatile @Nullable SettledVersion settled;

    /** A version of the files that stays until a time of the monotonic clock, because no folder is listed before. */
    private record SettledVersion(long files, long until) {}

    /** Makes trust that fetches revocations in the background, if the settings say so. */
    public FolderTrust(CertificateFolders home, LongSupplier nanoTime) {
        this(home, nanoTime, RevocationUpdater.Mode.BACKGROUND, Clock.systemUTC());
    }

    public FolderTrust(CertificateFolders home, LongSupplier nanoTime, RevocationUpdater.Mode mode, Clock clock) {
        this.nanoTime = nanoTime;
        this.trust = new WatchedFolder<>(home.trust(), CertificateFiles::readCertificates, nanoTime);
        this.revocations = new HomeRevocations(home.revocation(), nanoTime, mode, clock);
        this.recipients = new WatchedFolder<>(home.recipients(), CertificateFiles::readCertificates, nanoTime);
    }

    /** Reads the files now, so that the states of the home's certificates are fetched before a message needs them. */
    public void begin() {
        try {
            var unused = current();
            revocations.updater().readPinned();
        } catch (KeystoreUnusableException unusable) { // each use throws it too
            LOG.debug("the files of trust cannot be used yet", unusable);
        }
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
                ? known.files() + revocations.updater().version()
                : current().version();
    }

    @Override
    public long signatureVerifications() {
        return verifications.sum();
    }

    @Override
    public RevocationReport revocations() {
        return revocations.report();
    }

    @Override
    public List<String> unknownStates(Instant at) {
        return current().unknownStates(at);
    }

    @Override
    public void fetchRevocations(Duration most) throws InterruptedException {
        current(); // pins the certificates of the home
        revocations.updater().fetchDue(most);
    }

    @Override
    public void close() {
        revocations.updater().close();
    }

    private TrustSnapshot current() {
        SettledVersion fresh = settled;
        TrustSnapshot last = state;
        if (fresh != null
                && last != null
                && nanoTime.getAsLong() - fresh.until() < 0
                && last.version() == fresh.files() + revocations.updater().version()) {
            return last; // no folder is listed again yet
        }
        return look();
    }

    private TrustSnapshot look() {
        WatchedFolder.Settled<List<X509Certificate>> inTrust = trust.settled();
        HomeRevocations.Look revoked = revocations.look();
        WatchedFolder.Settled<List<X509Certificate>> inRecipients = recipients.settled();
        WatchedFolder.Contents<List<X509Certificate>> trusted = inTrust.contents();
        WatchedFolder.Contents<List<X509Certificate>> helpful = inRecipients.contents();
        // versions only grow, so a different state has a different sum
        long files = trusted.version() + revoked.version() + helpful.version();
        long version = files + revoked.fetched();
        settled = new SettledVersion(files, earlier(inTrust.until(), earlier(revoked.until(), inRecipients.until())));
        TrustSnapshot known = state;
        if (known != null && known.version() == version) {
            revocations.pin(files, known);
            return known;
        }
        HomeCertificates home = certificates(trusted, helpful);
        TrustSnapshot made = new TrustSnapshot(version, home, revoked.rules(home.all()), verifications);
        revocations.pin(files, made);
        state = made;
        return made;
    }

    /** Returns the earlier of two times of the monotonic clock, which may overflow between them. */
    static long earlier(long one, long other) {
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

    static <T> List<T> values(WatchedFolder.Contents<List<T>> contents) {
        return contents.files().values().stream()
                .map(WatchedFolder.Parsed::value)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .collect(Collectors.toUnmodifiableList());
    }
}
