/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.names.HomeCertificates;
import org.signetmq.keystore.internal.revocation.RevocationUpdater;
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
     * @param files say which certificates are revoked
     * @param known certificates of the home: the issuers of those lists, and others for the same keys
     */
    public NamedTrust(RevocationFiles files, Collection<X509Certificate> known, X509Certificate named) {
        HomeCertificates certificates = new HomeCertificates(List.of(new Recipient(NAME, named)), List.of(), List.of());
        Set<X509Certificate> issuers = new LinkedHashSet<>(List.of(named));
        issuers.addAll(known);
        HomeRevocations revocations =
                new HomeRevocations(files, System::nanoTime, RevocationUpdater.Mode.BY_HAND, Clock.systemUTC());
        this.snapshot = new TrustSnapshot(1, certificates, revocations.look().rules(issuers), verifications);
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
