/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Locale;
import org.signetmq.keystore.KeyIdentifier;

/**
 * The shown facts of a certificate. The names of the components are those in JSON.
 *
 * @param dn the subject, as in RFC 4514
 * @param issuer as in RFC 4514
 * @param serialNumber in hexadecimal
 * @param keyAlgorithm as {@code identity create} names it; for any other key the name that Java has
 * @param keyId as policies name it: computed from the key
 * @param notBefore in ISO 8601, to the second
 * @param notAfter in ISO 8601, to the second
 */
record CertificateFacts(
        String dn,
        String issuer,
        String serialNumber,
        String keyAlgorithm,
        String keyId,
        String notBefore,
        String notAfter) {
    static CertificateFacts of(X509Certificate certificate) {
        return new CertificateFacts(
                certificate.getSubjectX500Principal().getName(),
                certificate.getIssuerX500Principal().getName(),
                certificate.getSerialNumber().toString(16),
                algorithm(certificate.getPublicKey()),
                KeyIdentifier.ofKey(certificate).toString(),
                time(certificate.getNotBefore()),
                time(certificate.getNotAfter()));
    }

    private static String time(Date date) {
        return date.toInstant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String algorithm(PublicKey key) {
        if (key instanceof RSAPublicKey rsa) {
            return "rsa-" + rsa.getModulus().bitLength();
        }
        if (key instanceof ECPublicKey ec) {
            return "ec-p" + ec.getParams().getCurve().getField().getFieldSize();
        }
        String name = key instanceof EdECPublicKey edwards ? edwards.getParams().getName() : key.getAlgorithm();
        return name.toLowerCase(Locale.ROOT);
    }
}
