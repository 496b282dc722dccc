/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.ocsp;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ocsp.ResponderID;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.KeyRules;

/**
 * The signer of an OCSP answer: the issuer of the certificate, or a holder of a certificate of that issuer for
 * OCSPSigning (RFC 6960 section 4.2.2.2). A certificate of another issuer never counts.
 */
record OcspResponder(ResponderID id, List<X509Certificate> carried) {
    private static final String PURPOSE = KeyPurposeId.id_kp_OCSPSigning.getId();
    private static final int DIGITAL_SIGNATURE = 0;

    static OcspResponder of(ResponderID id, @Nullable ASN1Sequence certificates) throws IOException {
        List<X509Certificate> carried = new ArrayList<>();
        for (int i = 0; certificates != null && i < certificates.size(); i++) {
            try {
                carried.add(CertificateProviders.certificate(
                        certificates.getObjectAt(i).toASN1Primitive().getEncoded()));
            } catch (GeneralSecurityException malformed) {
                throw new IOException("certificate of the responder: malformed", malformed);
            }
        }
        return new OcspResponder(id, List.copyOf(carried));
    }

    /** Returns the certificate of the signer, if the issuer lets it answer. */
    Optional<X509Certificate> find(X509Certificate issuer, Instant at) throws IOException {
        if (isMeant(issuer)) {
            return Optional.of(issuer);
        }
        for (X509Certificate candidate : carried) {
            if (isMeant(candidate) && mayAnswer(candidate, issuer, at)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    private boolean isMeant(X509Certificate certificate) throws IOException {
        return id.getKeyHash() != null
                ? MessageDigest.isEqual(id.getKeyHash(), OcspAnswer.keyHash("SHA-1", certificate))
                : new X500Principal(id.getName().getEncoded()).equals(certificate.getSubjectX500Principal());
    }

    private static boolean mayAnswer(X509Certificate candidate, X509Certificate issuer, Instant at) {
        return candidate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())
                && CertificateRules.isInDate(candidate, at)
                && isForAnswers(candidate)
                && KeyRules.problem(candidate, CertificateUse.SIGNING).isEmpty()
                && KeyRules.signatureProblem(candidate).isEmpty()
                && CertificateProviders.isSignedBy(candidate, issuer.getPublicKey());
    }

    private static boolean isForAnswers(X509Certificate candidate) {
        try {
            List<String> purposes = candidate.getExtendedKeyUsage();
            boolean[] usage = candidate.getKeyUsage();
            return purposes != null
                    && purposes.contains(PURPOSE)
                    && (usage == null || usage[DIGITAL_SIGNATURE])
                    && !candidate.hasUnsupportedCriticalExtension();
        } catch (CertificateParsingException malformed) {
            return false;
        }
    }
}
