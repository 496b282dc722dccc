/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.certificate;

import java.security.cert.X509Certificate;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.signetmq.cli.command.bundle.Fingerprint;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.enrolment.CertificateChange;

/**
 * A certificate as the commands show it.
 *
 * @param sha256 the fingerprint, as {@code openssl x509 -fingerprint -sha256} prints it
 */
public record CertificateView(String dn, String issuer, String notAfter, String keyId, String sha256) {
    private static final Map<CertificateChange.Kind, String> RESULTS = Map.of(
            CertificateChange.Kind.NEW, "added",
            CertificateChange.Kind.RENEWED, "renewed; the former certificates stay",
            CertificateChange.Kind.NONE, "nothing to do");

    private static final int LABEL = 12;

    /** Returns the view of a certificate. */
    public static CertificateView of(X509Certificate certificate) {
        return new CertificateView(
                Failures.oneLine(DistinguishedName.shown(certificate.getSubjectX500Principal())),
                Failures.oneLine(DistinguishedName.shown(certificate.getIssuerX500Principal())),
                certificate
                        .getNotAfter()
                        .toInstant()
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString(),
                KeyIdentifier.ofKey(certificate).toString(),
                Fingerprint.of(certificate));
    }

    /** Returns a change as lines: the result, then the fields by which a user compares the certificate. */
    public static LabelledLines lines(String name, CertificateChange change) {
        CertificateView view = of(change.certificate());
        return new LabelledLines(LABEL)
                .add("name", name)
                .add("result", RESULTS.get(change.kind()))
                .add("dn", view.dn())
                .add("issuer", view.issuer())
                .add("not after", view.notAfter())
                .add("key id", view.keyId())
                .add("sha-256", view.sha256());
    }
}
