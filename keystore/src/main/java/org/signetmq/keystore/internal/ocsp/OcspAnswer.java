/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.ocsp;

import java.io.IOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1GeneralizedTime;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.BasicOCSPResponse;
import org.bouncycastle.asn1.ocsp.CertID;
import org.bouncycastle.asn1.ocsp.CertStatus;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.OCSPResponse;
import org.bouncycastle.asn1.ocsp.ResponseBytes;
import org.bouncycastle.asn1.ocsp.ResponseData;
import org.bouncycastle.asn1.ocsp.RevokedInfo;
import org.bouncycastle.asn1.ocsp.SingleResponse;
import org.bouncycastle.asn1.oiw.OIWObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.internal.crl.Issued;
import org.signetmq.keystore.internal.crl.RevocationList;
import org.signetmq.keystore.internal.crl.RevocationLists;
import org.signetmq.keystore.internal.crl.StructureSignature;

/**
 * An OCSP answer (RFC 6960). The signature is not verified yet. Immutable.
 *
 * @param basic the parsed answer
 */
public record OcspAnswer(BasicOCSPResponse basic) {
    /** The greatest length of an answer, in bytes. */
    public static final int MOST_BYTES = 64 << 10;

    /** The most certificates in an answer. */
    private static final int MOST_CERTIFICATES = 4;

    /** The most states in an answer. */
    private static final int MOST_STATES = 100;

    /** The validity of an answer that has no next update. */
    private static final Duration VALIDITY = Duration.ofHours(1);

    private static final Set<ASN1ObjectIdentifier> KNOWN_CRITICAL = Set.of(OCSPObjectIdentifiers.id_pkix_ocsp_nonce);

    /**
     * Reads an answer.
     *
     * @throws KeystoreUnusableException if the bytes are no successful basic answer, or one beyond the limits
     */
    public static OcspAnswer fromDer(byte[] der) {
        try {
            OCSPResponse response =
                    OCSPResponse.getInstance(ASN1Primitive.fromByteArray(der.length <= MOST_BYTES ? der : new byte[0]));
            int status = response.getResponseStatus().getIntValue();
            if (status != 0) {
                throw new KeystoreUnusableException("an OCSP answer with the error " + status);
            }
            ResponseBytes bytes = response.getResponseBytes();
            if (!bytes.getResponseType().equals(OCSPObjectIdentifiers.id_pkix_ocsp_basic)) {
                throw new KeystoreUnusableException("an OCSP answer of an unknown type");
            }
            BasicOCSPResponse basic =
                    BasicOCSPResponse.getInstance(bytes.getResponse().getOctets());
            boolean small = basic.getTbsResponseData().getResponses().size() <= MOST_STATES
                    && (basic.getCerts() == null || basic.getCerts().size() <= MOST_CERTIFICATES);
            if (!small || hasUnknownCritical(basic.getTbsResponseData().getResponseExtensions())) {
                throw new KeystoreUnusableException("an OCSP answer that is too large or has an unknown extension");
            }
            return new OcspAnswer(basic);
        } catch (KeystoreUnusableException e) {
            throw e;
        } catch (IOException | RuntimeException malformed) { // the parsers throw many exceptions
            throw new KeystoreUnusableException("no OCSP answer", malformed);
        }
    }

    /** Returns the serial numbers of the certificates that the answer is about, of any issuer. */
    public Set<BigInteger> serialNumbers() {
        return Arrays.stream(states())
                .map(single -> single.getCertID().getSerialNumber().getValue())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Tells whether the answer repeats this nonce, or has none. Many responders prepare their answers. */
    public boolean fitsNonce(byte[] nonce) {
        Extensions extensions = basic.getTbsResponseData().getResponseExtensions();
        Extension found = extensions == null ? null : extensions.getExtension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce);
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
    public Optional<OcspStatus> status(Issued issued, Instant at) {
        try {
            for (SingleResponse single : states()) {
                if (isAbout(single.getCertID(), issued) && !hasUnknownCritical(single.getSingleExtensions())) {
                    return Optional.of(status(single, requireSigner(issued, at)));
                }
            }
            return Optional.empty();
        } catch (KeystoreUnusableException e) {
            throw e;
        } catch (IOException | RuntimeException malformed) {
            throw new KeystoreUnusableException("a malformed OCSP answer", malformed);
        }
    }

    private SingleResponse[] states() {
        ResponseData data = basic.getTbsResponseData();
        SingleResponse[] states = new SingleResponse[data.getResponses().size()];
        for (int i = 0; i < states.length; i++) {
            states[i] = SingleResponse.getInstance(data.getResponses().getObjectAt(i));
        }
        return states;
    }

    /** Returns the signer, whose certificate is right at this time. */
    private X509Certificate requireSigner(Issued issued, Instant at) throws IOException {
        ResponseData data = basic.getTbsResponseData();
        StructureSignature signature = new StructureSignature(
                basic.getSignatureAlgorithm(), basic.getSignature().getOctets());
        X509Certificate signer = OcspResponder.of(data.getResponderID(), basic.getCerts())
                .find(issued.issuer(), at)
                .orElseThrow(() -> new KeystoreUnusableException(
                        "an OCSP answer of a responder that the certificate's issuer did not name"));
        if (!signature.isStrong() || !signature.isBy(signer.getPublicKey(), data.getEncoded(ASN1Encoding.DER))) {
            throw new KeystoreUnusableException("an OCSP answer with a wrong or weak signature");
        }
        return signer;
    }

    private static OcspStatus status(SingleResponse single, X509Certificate signer) throws IOException {
        Instant from = time(single.getThisUpdate());
        @Nullable Instant next = single.getNextUpdate() == null ? null : time(single.getNextUpdate());
        CertStatus status = single.getCertStatus();
        RevokedInfo revoked = status.getTagNo() == 1 ? RevokedInfo.getInstance(status.getStatus()) : null;
        boolean concernsKey = revoked != null
                && (revoked.getRevocationReason() == null
                        || RevocationList.concernsKey(
                                revoked.getRevocationReason().getValue().intValue()));
        return new OcspStatus(
                status.getTagNo() != 2,
                revoked == null ? null : time(revoked.getRevocationTime()),
                from.minus(RevocationLists.CLOCK_SKEW),
                next == null ? from.plus(VALIDITY) : next,
                concernsKey,
                signer.getNotAfter().toInstant());
    }

    private static Instant time(ASN1GeneralizedTime time) throws IOException {
        try {
            return time.getDate().toInstant();
        } catch (ParseException malformed) {
            throw new IOException("time: malformed", malformed);
        }
    }

    private static boolean hasUnknownCritical(@Nullable Extensions extensions) {
        return extensions != null && !KNOWN_CRITICAL.containsAll(Arrays.asList(extensions.getCriticalExtensionOIDs()));
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

    static byte[] nameHash(String digest, Issued issued) {
        return CryptoProviders.digest(digest)
                .digest(issued.certificate().getIssuerX500Principal().getEncoded());
    }

    static byte[] keyHash(String digest, X509Certificate issuer) {
        return CryptoProviders.digest(digest)
                .digest(SubjectPublicKeyInfo.getInstance(issuer.getPublicKey().getEncoded())
                        .getPublicKeyData()
                        .getOctets());
    }
}
