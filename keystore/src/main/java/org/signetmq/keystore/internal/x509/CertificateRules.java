/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.math.BigInteger;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.x509.PolicyConstraints;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.PrintableText;

/** The rules for a single certificate of any issuer, and for one that signs other certificates or revocation lists. */
public final class CertificateRules {
    private static final int DIGITAL_SIGNATURE = 0;
    private static final int NON_REPUDIATION = 1;
    private static final int KEY_ENCIPHERMENT = 2;
    private static final int KEY_AGREEMENT = 4;
    private static final int KEY_CERT_SIGN = 5;
    private static final int CRL_SIGN = 6;

    private static final String KEY_USAGE = "2.5.29.15";
    private static final String POLICIES = "2.5.29.32";
    private static final String POLICY_CONSTRAINTS = "2.5.29.36";
    private static final String INHIBIT_ANY_POLICY = "2.5.29.54";
    private static final int MAX_POLICIES = 32;
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String EMAIL_PROTECTION = "1.3.6.1.5.5.7.3.4";
    private static final String ANY_PURPOSE = "2.5.29.37.0";

    private static final int MAX_NAME = 160;
    private static final int MAX_SERIAL = 40;

    private CertificateRules() {}

    public static boolean isInDate(X509Certificate certificate, Instant at) {
        return !at.isBefore(certificate.getNotBefore().toInstant())
                && !at.isAfter(certificate.getNotAfter().toInstant());
    }

    public static void requireDates(X509Certificate certificate, Instant at) {
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

    public static void requireKey(X509Certificate certificate, CertificateUse use) {
        KeyRules.problem(certificate, use).ifPresent(problem -> {
            throw rejected(Reason.UNSUPPORTED_KEY, certificate, problem);
        });
    }

    /** Rejects a key that can neither sign nor receive. */
    public static void requireKey(X509Certificate certificate) {
        requireKey(certificate, KeyRules.use(certificate));
    }

    /** Rejects a wrong key usage. Without the extension, any use is allowed (RFC 5280 section 4.2.1.3). */
    public static void requireUsage(X509Certificate certificate, CertificateUse use) {
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
        boolean enciphers = certificate.getPublicKey().getAlgorithm().equals("RSA")
                || KeyRules.use(certificate) == CertificateUse.RECEIVING; // RFC 9935
        if (!usage[enciphers ? KEY_ENCIPHERMENT : KEY_AGREEMENT]) {
            throw rejected(
                    Reason.WRONG_KEY_USAGE,
                    certificate,
                    "its key usage has no " + (enciphers ? "keyEncipherment" : "keyAgreement"));
        }
    }

    /** Tells whether kind of key and key usage allow a use. */
    public static boolean isFor(X509Certificate certificate, CertificateUse use) {
        try {
            requireKey(certificate, use);
            requireUsage(certificate, use);
            return true;
        } catch (CertificateRejectedException e) {
            return false;
        }
    }

    /**
     * Rejects unknown critical extensions. Also rejects malformed extensions that restrict the certificate, because the
     * JDK ignores them if they are not critical.
     */
    public static void requireExtensions(X509Certificate certificate) {
        if (certificate.getExtensionValue(KEY_USAGE) != null && certificate.getKeyUsage() == null) {
            throw untrusted(certificate, "its key usage is malformed");
        }
        requireReadable(certificate, POLICY_CONSTRAINTS, PolicyConstraints::getInstance);
        requireReadable(certificate, INHIBIT_ANY_POLICY, ASN1Integer::getInstance);
        if (certificate.hasUnsupportedCriticalExtension()) {
            throw untrusted(certificate, "it has a critical extension that Signet does not know");
        }
    }

    private static void requireReadable(
            X509Certificate certificate, String extension, Function<Object, @Nullable Object> parser) {
        byte[] value = certificate.getExtensionValue(extension);
        if (value == null) {
            return;
        }
        try {
            Object unused = parser.apply(ASN1OctetString.getInstance(value).getOctets());
        } catch (RuntimeException malformed) { // the parser throws undocumented exceptions
            throw untrusted(certificate, "its extension " + extension + " is malformed");
        }
    }

    /** Rejects certificates that would make the JDK build a large tree of policies, which Signet does not need. */
    static void requireFewPolicies(X509Certificate certificate) {
        byte[] value = certificate.getExtensionValue(POLICIES);
        int count = value == null
                ? 0
                : ASN1Sequence.getInstance(ASN1OctetString.getInstance(value).getOctets())
                        .size();
        if (count > MAX_POLICIES) {
            throw untrusted(certificate, "it has more than " + MAX_POLICIES + " policies");
        }
    }

    /** Rejects key identifiers that no envelope could use. */
    public static void requireIdentifier(X509Certificate certificate) {
        if (!KeyIdentifier.isWellFormed(certificate)) {
            throw untrusted(
                    certificate,
                    "its subject key identifier is empty, malformed or longer than " + KeyIdentifier.MAX_LENGTH
                            + " bytes");
        }
    }

    /**
     * Rejects an extended key usage without emailProtection or any usage, as S/MIME does (RFC 8551 section 4.4.4).
     * Without the extension, any use is allowed.
     */
    public static void requireMailPurpose(X509Certificate certificate) {
        List<String> purposes;
        try {
            purposes = certificate.getExtendedKeyUsage();
        } catch (CertificateParsingException malformed) {
            throw rejected(Reason.WRONG_KEY_USAGE, certificate, "its extended key usage is malformed");
        }
        boolean absent = certificate.getExtensionValue(EXTENDED_KEY_USAGE) == null;
        if (!absent
                && (purposes == null || (!purposes.contains(EMAIL_PROTECTION) && !purposes.contains(ANY_PURPOSE)))) {
            throw rejected(
                    Reason.WRONG_KEY_USAGE,
                    certificate,
                    "its extended key usage has neither emailProtection nor anyExtendedKeyUsage");
        }
    }

    public static CertificateRejectedException untrusted(X509Certificate certificate, String problem) {
        return rejected(Reason.UNTRUSTED, certificate, problem);
    }

    /** Returns the exception for a problem. Its text shows the start of the certificate's name. */
    public static CertificateRejectedException rejected(Reason reason, X509Certificate certificate, String problem) {
        BigInteger serial = certificate.getSerialNumber();
        return new CertificateRejectedException(
                reason,
                "certificate "
                        + PrintableText.of(DistinguishedName.text(certificate), MAX_NAME)
                        + " (serial "
                        + PrintableText.of(serial.toString(16), MAX_SERIAL) + "): " + problem);
    }

    public static boolean mayIssue(X509Certificate certificate) {
        return certificate.getBasicConstraints() >= 0 && hasUsage(certificate, KEY_CERT_SIGN);
    }

    /**
     * Tells whether the certificate belongs to an ordinary identity but may issue certificates. Signet created all
     * identities so before it had issuing identities. An issuing identity has no other key usage, or it is a root
     * without a limit of its path length.
     */
    public static boolean isIdentityThatIssues(X509Certificate certificate) {
        boolean[] usage = certificate.getKeyUsage();
        if (usage == null || !mayIssue(certificate) || !isSelfIssued(certificate)) {
            return false;
        }
        return usage[KEY_ENCIPHERMENT]
                || usage[KEY_AGREEMENT]
                || (usage[DIGITAL_SIGNATURE] && certificate.getBasicConstraints() == 0);
    }

    /** Tells whether the certificate names itself as its issuer. */
    public static boolean isSelfIssued(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
    }

    /**
     * Tells whether the absence from a list of this issuer proves something (RFC 5280 section 6.3.3 (f)). A revocation
     * counts also if the issuer only {@link #maySignLists}.
     */
    public static boolean mayProveByLists(X509Certificate certificate) {
        return hasUsage(certificate, CRL_SIGN);
    }

    public static boolean maySignLists(X509Certificate certificate) {
        return hasUsage(certificate, CRL_SIGN) || mayIssue(certificate);
    }

    private static boolean hasUsage(X509Certificate certificate, int bit) {
        boolean[] usage = certificate.getKeyUsage();
        return usage == null || usage[bit];
    }
}
