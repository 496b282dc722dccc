/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.CertID;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.OCSPResponse;
import org.bouncycastle.asn1.ocsp.ResponderID;
import org.bouncycastle.asn1.oiw.OIWObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.CertificateStatus;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPReqBuilder;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.cert.ocsp.SingleResp;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.CertificateProviders.StructureSignature;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.KeyRules;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * An OCSP answer (RFC 6960). The signature is not verified yet. Immutable.
 *
 * @param basic the parsed answer
 */
public record OcspAnswer(BasicOCSPResp basic) {
    /** The greatest length of an answer, in bytes. */
    public static final int MOST_BYTES = 64 << 10;

    private static final int MOST_CERTIFICATES = 4;
    private static final int MOST_STATES = 100;

    /** The validity of an answer that has no next update. */
    private static final Duration VALIDITY = Duration.ofHours(1);

    private static final ASN1ObjectIdentifier NONCE = OCSPObjectIdentifiers.id_pkix_ocsp_nonce;
    private static final String PURPOSE = KeyPurposeId.id_kp_OCSPSigning.getId();
    private static final int DIGITAL_SIGNATURE = 0;

    /**
     * The state of one certificate in an answer whose signature was verified.
     *
     * @param known whether the responder knows the certificate
     * @param revoked the time of its revocation; empty if it is not revoked
     * @param from the time from which the state is right
     * @param until the end of the time for which the state is right
     * @param concernsKey whether it is revoked for a reason that leaves no trust in its key
     * @param signerEnd the end of the responder's certificate, after which the answer says nothing
     */
    record Status(
            boolean known,
            Optional<Instant> revoked,
            Instant from,
            Instant until,
            boolean concernsKey,
            Instant signerEnd) {
        /** Tells whether the responder's certificate has not ended at this time. */
        boolean counts(Instant at) {
            return !at.isAfter(signerEnd);
        }

        /** Tells whether the answer proves at this time that the certificate is not revoked. */
        boolean proves(Instant at) {
            return known && revoked.isEmpty() && !at.isBefore(from) && !at.isAfter(until) && counts(at);
        }

        /** Returns the state that revokes, else the one that is right for longer. */
        static Status graver(Status one, Status other) {
            if (one.revoked.isPresent() != other.revoked.isPresent()) {
                return one.revoked.isPresent() ? one : other;
            }
            return one.until.isAfter(other.until) ? one : other;
        }
    }

    /**
     * Returns the question for the state of one certificate (RFC 8954). Its digests are SHA-1, which all responders
     * know and which protect nothing here.
     */
    static byte[] question(Issued issued, byte[] nonce) {
        CertID id = new CertID(
                new AlgorithmIdentifier(OIWObjectIdentifiers.idSHA1, DERNull.INSTANCE),
                new DEROctetString(nameHash("SHA-1", issued)),
                new DEROctetString(keyHash("SHA-1", issued.issuer())),
                new ASN1Integer(issued.certificate().getSerialNumber()));
        try {
            return new OCSPReqBuilder()
                    .addRequest(new CertificateID(id))
                    .setRequestExtensions(
                            new Extensions(new Extension(NONCE, false, new DEROctetString(nonce).getEncoded())))
                    .build()
                    .getEncoded();
        } catch (OCSPException | IOException e) {
            throw new UncheckedIOException(new IOException(e)); // nothing is written but memory
        }
    }

    /**
     * Reads an answer.
     *
     * @throws KeystoreUnusableException if the bytes are no successful basic answer, or one beyond the limits
     */
    public static OcspAnswer fromDer(byte[] der) {
        try {
            OCSPResp response = new OCSPResp(OCSPResponse.getInstance(
                    ASN1Primitive.fromByteArray(der.length <= MOST_BYTES ? der : new byte[0])));
            if (response.getStatus() != OCSPResp.SUCCESSFUL) {
                throw new KeystoreUnusableException("an OCSP answer with the error " + response.getStatus());
            }
            if (!(response.getResponseObject() instanceof BasicOCSPResp basic)) {
                throw new KeystoreUnusableException("an OCSP answer of an unknown type");
            }
            if (basic.getResponses().length > MOST_STATES
                    || basic.getCerts().length > MOST_CERTIFICATES
                    || !isKnown(basic.getCriticalExtensionOIDs())) {
                throw new KeystoreUnusableException("an OCSP answer that is too large or has an unknown extension");
            }
            return new OcspAnswer(basic);
        } catch (KeystoreUnusableException e) {
            throw e;
        } catch (OCSPException | IOException | RuntimeException | StackOverflowError malformed) { // of parsers
            throw new KeystoreUnusableException("no OCSP answer", malformed);
        }
    }

    private static boolean isKnown(Set<?> critical) {
        return Set.of(NONCE).containsAll(critical);
    }

    /** Returns the serial numbers of the certificates that the answer is about, of any issuer. */
    Set<BigInteger> serialNumbers() {
        return Arrays.stream(basic.getResponses())
                .map(single -> single.getCertID().getSerialNumber())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Tells whether the answer repeats this nonce, or has none. Many responders prepare their answers. */
    boolean fitsNonce(byte[] nonce) {
        Extension found = basic.getExtension(NONCE);
        return found == null
                || MessageDigest.isEqual(
                        ASN1OctetString.getInstance(found.getParsedValue()).getOctets(), nonce);
    }

    /**
     * Returns the state of a certificate.
     *
     * @return empty if the answer is about other certificates
     * @throws KeystoreUnusableException if the issuer neither signed the answer nor let its signer answer
     */
    Optional<Status> status(Issued issued, Instant at) {
        try {
            for (SingleResp single : basic.getResponses()) {
                if (isAbout(single.getCertID().toASN1Primitive(), issued)
                        && isKnown(single.getCriticalExtensionOIDs())) {
                    return Optional.of(status(single, requireSigner(issued.issuer(), at)));
                }
            }
            return Optional.empty();
        } catch (KeystoreUnusableException e) {
            throw e;
        } catch (GeneralSecurityException | IOException | RuntimeException malformed) {
            throw new KeystoreUnusableException("a malformed OCSP answer", malformed);
        }
    }

    private static Status status(SingleResp single, X509Certificate signer) {
        Instant from = single.getThisUpdate().toInstant();
        CertificateStatus status = single.getCertStatus();
        RevokedStatus revoked = status instanceof RevokedStatus found ? found : null;
        return new Status(
                status == CertificateStatus.GOOD || revoked != null,
                Optional.ofNullable(revoked)
                        .map(each -> each.getRevocationTime().toInstant()),
                from.minus(RevocationLists.CLOCK_SKEW),
                single.getNextUpdate() == null
                        ? from.plus(VALIDITY)
                        : single.getNextUpdate().toInstant(),
                revoked != null
                        && (!revoked.hasRevocationReason()
                                || RevocationList.concernsKey(revoked.getRevocationReason())),
                signer.getNotAfter().toInstant());
    }

    /** Tells whether the identifier means this certificate, by its serial number and two digests of its issuer. */
    private static boolean isAbout(CertID id, Issued issued) {
        ASN1ObjectIdentifier algorithm = id.getHashAlgorithm().getAlgorithm();
        String digest = algorithm.equals(OIWObjectIdentifiers.idSHA1)
                ? "SHA-1"
                : algorithm.equals(NISTObjectIdentifiers.id_sha256) ? "SHA-256" : null;
        return digest != null
                && id.getSerialNumber().hasValue(issued.certificate().getSerialNumber())
                && MessageDigest.isEqual(id.getIssuerNameHash().getOctets(), nameHash(digest, issued))
                && MessageDigest.isEqual(id.getIssuerKeyHash().getOctets(), keyHash(digest, issued.issuer()));
    }

    private static byte[] nameHash(String digest, Issued issued) {
        return CryptoProviders.digest(digest)
                .digest(issued.certificate().getIssuerX500Principal().getEncoded());
    }

    private static byte[] keyHash(String digest, X509Certificate issuer) {
        return CryptoProviders.digest(digest)
                .digest(SubjectPublicKeyInfo.getInstance(issuer.getPublicKey().getEncoded())
                        .getPublicKeyData()
                        .getOctets());
    }

    /**
     * Returns the signer: the issuer, or a holder of a certificate of that issuer for OCSPSigning (RFC 6960 section
     * 4.2.2.2). A certificate of another issuer never counts.
     */
    private X509Certificate requireSigner(X509Certificate issuer, Instant at)
            throws GeneralSecurityException, IOException {
        X509Certificate signer = isMeant(issuer) ? issuer : null;
        for (X509CertificateHolder carried : basic.getCerts()) {
            X509Certificate candidate = CertificateProviders.certificate(carried.getEncoded());
            if (signer == null && isMeant(candidate) && mayAnswer(candidate, issuer, at)) {
                signer = candidate;
            }
        }
        if (signer == null) {
            throw new KeystoreUnusableException(
                    "an OCSP answer of a responder that the certificate's issuer did not name");
        }
        StructureSignature signature = new StructureSignature(basic.getSignatureAlgorithmID(), basic.getSignature());
        if (!signature.isStrong() || !signature.isBy(signer.getPublicKey(), basic.getTBSResponseData())) {
            throw new KeystoreUnusableException("an OCSP answer with a wrong or weak signature");
        }
        return signer;
    }

    private boolean isMeant(X509Certificate certificate) throws IOException {
        ResponderID id = basic.getResponderId().toASN1Primitive();
        return id.getKeyHash() != null
                ? MessageDigest.isEqual(id.getKeyHash(), keyHash("SHA-1", certificate))
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
