/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.names.HomeCertificates;
import org.signetmq.keystore.internal.x509.RevocationLists;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.TrustedCertificate;

/** Trust in one certificate, under the revocation lists of a home. It notices no changes. Thread-safe. */
public final class NamedTrust implements CertificateTrust {
    private static final String NAME = "named";

    private final LongAdder verifications = new LongAdder();
    private final TrustSnapshot snapshot;

    /**
     * Makes trust in a certificate.
     *
     * @param crl the folder of revocation lists
     * @param trust finds the issuers of those lists
     */
    public NamedTrust(CheckedFolder crl, CertificateTrust trust, X509Certificate named) {
        HomeCertificates certificates = new HomeCertificates(List.of(new Recipient(NAME, named)), List.of(), List.of());
        List<X509CRL> lists = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        new WatchedFolder<>(crl, CertificateFiles::readCrls, System::nanoTime)
                .contents()
                .files()
                .values()
                .forEach(parsed -> {
                    List<X509CRL> read = parsed.value();
                    if (read == null) {
                        unreadable.add(String.valueOf(parsed.problem()));
                    } else {
                        lists.addAll(read);
                    }
                });
        List<X509Certificate> issuers = new ArrayList<>(List.of(named));
        trust.trusted().forEach(trusted -> issuers.add(trusted.certificate()));
        this.snapshot =
                new TrustSnapshot(1, certificates, new RevocationLists(lists, unreadable, issuers), verifications);
    }

    @Override
    public TrustedCertificate verify(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        return snapshot.verify(certificate, others, use, at);
    }

    @Override
    public List<Recipient> trusted() {
        return snapshot.trusted();
    }

    @Override
    public long version() {
        return snapshot.version();
    }

    @Override
    public long signatureVerifications() {
        return verifications.sum();
    }
}
