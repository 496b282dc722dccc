/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Trust from the folders of a home. */
final class FolderTrust implements CertificateTrust {
    private final WatchedFolder<List<X509Certificate>> trust;
    private final WatchedFolder<List<X509CRL>> crl;
    private final WatchedFolder<List<X509Certificate>> recipients;
    private volatile @Nullable TrustState state;

    FolderTrust(Home home, LongSupplier nanoTime) {
        this.trust = new WatchedFolder<>(home.trust(), Pem::readCertificates, nanoTime);
        this.crl = new WatchedFolder<>(home.crl(), Pem::readCrls, nanoTime);
        this.recipients = new WatchedFolder<>(home.recipients(), Pem::readCertificates, nanoTime);
    }

    @Override
    public void check(X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        current().check(certificate, others, use, at);
    }

    @Override
    public long version() {
        return current().version();
    }

    private TrustState current() {
        WatchedFolder.Contents<List<X509Certificate>> trusted = trust.contents();
        WatchedFolder.Contents<List<X509CRL>> revoked = crl.contents();
        WatchedFolder.Contents<List<X509Certificate>> helpful = recipients.contents();
        // each only grows, so a different state has a different sum
        long version = trusted.version() + revoked.version() + helpful.version();
        TrustState known = state;
        if (known != null && known.version() == version) {
            return known;
        }
        Set<X509Certificate> anchors = Set.copyOf(values(trusted));
        Set<X509Certificate> all = new LinkedHashSet<>(anchors);
        all.addAll(values(helpful));
        List<String> unreadable = revoked.files().values().stream()
                .map(WatchedFolder.Parsed::problem)
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .toList();
        TrustState made = new TrustState(
                version, anchors, new CertificatePaths(anchors, all), new RevocationLists(values(revoked), unreadable));
        state = made;
        return made;
    }

    private static <T> List<T> values(WatchedFolder.Contents<List<T>> contents) {
        return contents.files().values().stream()
                .map(WatchedFolder.Parsed::value)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .collect(Collectors.toUnmodifiableList());
    }
}
