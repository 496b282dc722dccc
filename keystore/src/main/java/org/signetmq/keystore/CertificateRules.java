/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Instant;
import org.signetmq.keystore.CertificateRejectedException.Reason;

/** What a certificate must be by itself, whoever issued it. */
final class CertificateRules {
    private static final int DIGITAL_SIGNATURE = 0;
    private static final int NON_REPUDIATION = 1;
    private static final int KEY_ENCIPHERMENT = 2;
    private static final int KEY_AGREEMENT = 4;

    private CertificateRules() {}

    static void requireDates(X509Certificate certificate, Instant at) {
        if (at.isAfter(certificate.getNotAfter().toInstant())) {
            throw rejected(
                    Reason.EXPIRED,
                    certificate,
                    "expired on " + certificate.getNotAfter().toInstant());
        }
        if (at.isBefore(certificate.getNotBefore().toInstant())) {
            throw rejected(
                    Reason.NOT_YET_VALID,
                    certificate,
                    "not valid before " + certificate.getNotBefore().toInstant());
        }
    }

    static void requireKey(X509Certificate certificate, CertificateUse use) {
        KeyRules.problem(certificate, use).ifPresent(problem -> {
            throw rejected(Reason.UNSUPPORTED_KEY, certificate, problem);
        });
    }

    /** Without the extension a key is for anything (RFC 5280 section 4.2.1.3). */
    static void requireUsage(X509Certificate certificate, CertificateUse use) {
        boolean[] usage = certificate.getKeyUsage();
        if (usage == null) {
            return;
        }
        if (use == CertificateUse.SIGNING) {
            if (!usage[DIGITAL_SIGNATURE] && !usage[NON_REPUDIATION]) {
                throw rejected(
                        Reason.WRONG_KEY_USAGE, certificate, "its key usage has no digitalSignature or nonRepudiation");
            }
            return;
        }
        boolean rsa = certificate.getPublicKey().getAlgorithm().equals("RSA");
        if (!usage[rsa ? KEY_ENCIPHERMENT : KEY_AGREEMENT]) {
            throw rejected(
                    Reason.WRONG_KEY_USAGE,
                    certificate,
                    "its key usage has no " + (rsa ? "keyEncipherment" : "keyAgreement"));
        }
    }

    static CertificateRejectedException rejected(Reason reason, X509Certificate certificate, String problem) {
        BigInteger serial = certificate.getSerialNumber();
        return new CertificateRejectedException(
                reason,
                "certificate " + certificate.getSubjectX500Principal().getName() + " (serial " + serial.toString(16)
                        + "): " + problem);
    }
}
