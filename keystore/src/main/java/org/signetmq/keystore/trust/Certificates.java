/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.KeyRules;

/** Reads X.509 certificates from bytes. Thread-safe. */
public final class Certificates {
    private Certificates() {}

    /**
     * Reads a certificate, without any check of trust.
     *
     * @param der one certificate, DER
     * @throws KeystoreUnusableException if the bytes are no certificate
     */
    public static X509Certificate fromDer(byte[] der) {
        try {
            return CertificateProviders.certificate(der);
        } catch (GeneralSecurityException | RuntimeException unreadable) {
            throw new KeystoreUnusableException("certificate: cannot be read", unreadable);
        }
    }

    /** Returns the reason why the key of a certificate must not be used, by its kind and size; empty if it may be. */
    public static Optional<String> problemWithKey(X509Certificate certificate, CertificateUse use) {
        return KeyRules.problem(certificate, use);
    }

    /**
     * Returns the reason why the keys of these parties cannot agree with each other; empty if all are EC keys on one
     * curve.
     */
    public static Optional<String> problemWithAgreement(Collection<Recipient> parties) {
        Map<String, String> firsts = new LinkedHashMap<>();
        parties.forEach(party -> firsts.putIfAbsent(kind(party.certificate().getPublicKey()), party.name()));
        boolean isOneCurve =
                firsts.size() == 1 && firsts.keySet().iterator().next().startsWith("P-");
        return firsts.isEmpty() || isOneCurve
                ? Optional.empty()
                : Optional.of("quality authenticity needs EC keys on one curve, found "
                        + firsts.entrySet().stream()
                                .map(entry -> "'" + entry.getValue() + "' with " + entry.getKey())
                                .collect(Collectors.joining(", ")));
    }

    private static String kind(PublicKey key) {
        return key instanceof ECPublicKey ec
                ? "P-" + ec.getParams().getCurve().getField().getFieldSize()
                : KeyAlgorithm.label(key);
    }

    /** Tells whether the key of a possible issuer made the signature of a certificate. */
    public static boolean isSignedBy(X509Certificate certificate, X509Certificate issuer) {
        return CertificateProviders.isSignedBy(certificate, issuer.getPublicKey());
    }

    /** Returns the length of a certificate in DER, in bytes. */
    public static int length(X509Certificate certificate) {
        return PublicKeyInfo.encoded(certificate).length;
    }
}
