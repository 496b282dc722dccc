/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.io.IOException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.edec.EdECObjectIdentifiers;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.pkcs.RSASSAPSSparams;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateUse;

/** The rules for keys and for signatures of certificates. All other kinds are rejected. */
public final class KeyRules {
    private static final int MIN_RSA_BITS = 2048;

    /** The largest RSA key, because a larger one of a foreign certificate could keep the process busy. */
    private static final int MAX_RSA_BITS = 8192;

    /** The longest public exponent, because the time of a public-key operation grows with it. */
    private static final int MAX_RSA_EXPONENT_BITS = 64;

    private static final Set<ASN1ObjectIdentifier> CURVES =
            Set.of(SECObjectIdentifiers.secp256r1, SECObjectIdentifiers.secp384r1, SECObjectIdentifiers.secp521r1);

    private static final Set<ASN1ObjectIdentifier> HASHES =
            Set.of(NISTObjectIdentifiers.id_sha256, NISTObjectIdentifiers.id_sha384, NISTObjectIdentifiers.id_sha512);

    private static final Set<ASN1ObjectIdentifier> SIGNATURES = Set.of(
            PKCSObjectIdentifiers.sha256WithRSAEncryption,
            PKCSObjectIdentifiers.sha384WithRSAEncryption,
            PKCSObjectIdentifiers.sha512WithRSAEncryption,
            X9ObjectIdentifiers.ecdsa_with_SHA256,
            X9ObjectIdentifiers.ecdsa_with_SHA384,
            X9ObjectIdentifiers.ecdsa_with_SHA512,
            EdECObjectIdentifiers.id_Ed25519);

    private KeyRules() {}

    /** Returns the reason why the certificate's key must not be used; empty if it may be. */
    public static Optional<String> problem(X509Certificate certificate, CertificateUse use) {
        return problem(structure(certificate).getSubjectPublicKeyInfo(), use);
    }

    /** Returns the reason why a key must not be used; empty if it may be. */
    public static Optional<String> problem(SubjectPublicKeyInfo key, CertificateUse use) {
        ASN1ObjectIdentifier algorithm = key.getAlgorithm().getAlgorithm();
        if (algorithm.equals(PKCSObjectIdentifiers.rsaEncryption)) {
            return rsaProblem(key);
        }
        if (algorithm.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
            return isCurve(key.getAlgorithm().getParameters())
                    ? Optional.empty()
                    : Optional.of("its key is on an elliptic curve other than P-256, P-384 and P-521");
        }
        if (algorithm.equals(EdECObjectIdentifiers.id_Ed25519)) {
            return use == CertificateUse.SIGNING
                    ? Optional.empty()
                    : Optional.of("its key is Ed25519, which can sign but not receive");
        }
        return Optional.of("its key is of the unsupported kind " + algorithm);
    }

    /** Tells whether the parameters of an elliptic-curve key name one of the curves. */
    static boolean isCurve(@Nullable ASN1Encodable parameters) {
        return parameters instanceof ASN1ObjectIdentifier curve && CURVES.contains(curve);
    }

    /** Returns the reason why the signature of the certificate proves nothing; empty if it is strong. */
    static Optional<String> signatureProblem(X509Certificate certificate) {
        AlgorithmIdentifier algorithm = structure(certificate).getSignatureAlgorithm();
        boolean strong = algorithm.getAlgorithm().equals(PKCSObjectIdentifiers.id_RSASSA_PSS)
                ? isStrongPss(algorithm)
                : SIGNATURES.contains(algorithm.getAlgorithm());
        return strong ? Optional.empty() : Optional.of("it is signed with " + certificate.getSigAlgName());
    }

    private static Optional<String> rsaProblem(SubjectPublicKeyInfo key) {
        try {
            RSAPublicKey parsed = RSAPublicKey.getInstance(key.parsePublicKey());
            int bits = parsed.getModulus().bitLength();
            if (parsed.getPublicExponent().bitLength() > MAX_RSA_EXPONENT_BITS) {
                return Optional.of("its RSA key has a public exponent of more than " + MAX_RSA_EXPONENT_BITS + " bits");
            }
            return bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS
                    ? Optional.empty()
                    : Optional.of("its RSA key has " + bits + " bits, not " + MIN_RSA_BITS + " to " + MAX_RSA_BITS);
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of("its RSA key is malformed");
        }
    }

    private static boolean isStrongPss(AlgorithmIdentifier algorithm) {
        if (algorithm.getParameters() == null) {
            return false; // the default is SHA-1
        }
        RSASSAPSSparams parameters = RSASSAPSSparams.getInstance(algorithm.getParameters());
        AlgorithmIdentifier mask = parameters.getMaskGenAlgorithm();
        return HASHES.contains(parameters.getHashAlgorithm().getAlgorithm())
                && mask.getAlgorithm().equals(PKCSObjectIdentifiers.id_mgf1)
                && HASHES.contains(
                        AlgorithmIdentifier.getInstance(mask.getParameters()).getAlgorithm());
    }

    private static Certificate structure(X509Certificate certificate) {
        try {
            return Certificate.getInstance(certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("certificate: cannot be encoded", e);
        }
    }
}
