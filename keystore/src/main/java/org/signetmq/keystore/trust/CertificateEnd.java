/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.signetmq.keystore.Recipient;

/**
 * The end of a certificate's validity, seen at an instant.
 *
 * @param end the end
 * @param now the instant
 */
public record CertificateEnd(Instant end, Instant now) {
    private static final Duration SOON = Duration.ofDays(30);

    /** Returns the end of this certificate. */
    public static CertificateEnd of(X509Certificate certificate, Instant now) {
        return new CertificateEnd(certificate.getNotAfter().toInstant(), now);
    }

    /** Tells whether the certificate has ended. */
    public boolean isPast() {
        return end.isBefore(now);
    }

    /** Tells whether the certificate has ended, or ends within 30 days. */
    public boolean isNear() {
        return end.isBefore(now.plus(SOON));
    }

    /** Returns the end as part of a sentence, such as {@code ends in 12 days, at 2026-12-31T00:00:00Z}. */
    public String inWords() {
        return isPast() ? "ended at " + end : "ends in " + left(Duration.between(now, end)) + ", at " + end;
    }

    /** Returns a time in days; of less than two days in hours. */
    private static String left(Duration time) {
        if (time.toDays() > 1) {
            return time.toDays() + " days";
        }
        return switch ((int) time.toHours()) {
            case 0 -> "less than an hour";
            case 1 -> "1 hour";
            default -> time.toHours() + " hours";
        };
    }

    /** Returns the certificates that end last of all with their subject: the others have a successor. */
    public static List<Recipient> withoutSuccessor(List<Recipient> certificates) {
        Map<X500Principal, Instant> last = new HashMap<>();
        certificates.forEach(
                each -> last.merge(subject(each), end(each), (one, other) -> one.isAfter(other) ? one : other));
        return certificates.stream()
                .filter(each -> end(each).equals(last.get(subject(each))))
                .toList();
    }

    private static X500Principal subject(Recipient owner) {
        return owner.certificate().getSubjectX500Principal();
    }

    private static Instant end(Recipient owner) {
        return owner.certificate().getNotAfter().toInstant();
    }
}
