/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.signetmq.keystore.internal.x509.TestCertificates.LEAF;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.internal.trust.RevocationUpdater;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** A home with a trusted root that fetches revocations, at a time that a test sets. */
final class FetchedTrust extends Clock implements AutoCloseable {
    final Home home;
    private final AtomicLong nanoTime = new AtomicLong();
    private Instant now = NOW;
    private HomeReader trust;

    FetchedTrust(Path folder, Party root, String revocation) {
        this.home = new Home(folder);
        write(home.trust(), "root.pem", root.certificate());
        settings("{\"schema\": 1, \"revocation\": {" + revocation + "}}");
        this.trust = open(RevocationUpdater.Mode.BY_HAND);
    }

    private HomeReader open(RevocationUpdater.Mode mode) {
        return new HomeReader(home, nanoTime::get, mode, this);
    }

    /** Begins anew, as a restarted process does. */
    void restart(RevocationUpdater.Mode mode) {
        trust.close();
        trust = open(mode);
    }

    void settings(String json) {
        write(home.root(), "trust.json", json);
        looksAgain();
    }

    void looksAgain() {
        nanoTime.addAndGet(Duration.ofSeconds(2).toNanos());
    }

    HomeReader trust() {
        return trust;
    }

    void at(Instant time) {
        now = time;
    }

    void fetch() {
        try {
            trust.fetchRevocations(Duration.ofMinutes(1));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the text of the rejection; empty if the certificate is accepted. */
    String rejection(Party party, X509Certificate... others) {
        try {
            trust.check(party.certificate(), List.of(others), CertificateUse.SIGNING, now);
            return "";
        } catch (CertificateRejectedException rejected) {
            return String.valueOf(rejected.getMessage());
        }
    }

    static CertificateForge withList(String dn, String... urls) {
        DistributionPoint[] points = new DistributionPoint[urls.length];
        for (int i = 0; i < urls.length; i++) {
            points[i] = new DistributionPoint(new DistributionPointName(new GeneralNames(uri(urls[i]))), null, null);
        }
        return CertificateForge.of(dn)
                .usage(LEAF)
                .with(Extension.cRLDistributionPoints, false, new CRLDistPoint(points));
    }

    static CertificateForge withResponder(String dn, String url) {
        return CertificateForge.of(dn)
                .usage(LEAF)
                .with(
                        Extension.authorityInfoAccess,
                        false,
                        AuthorityInformationAccess.getInstance(
                                new DERSequence(new AccessDescription(AccessDescription.id_ad_ocsp, uri(url)))));
    }

    private static GeneralName uri(String url) {
        return new GeneralName(GeneralName.uniformResourceIdentifier, url);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }

    @Override
    public void close() {
        trust.close();
    }
}
