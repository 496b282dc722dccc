/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.util.PublicKeyFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.PublicKeyInfo;

/** The rules for keys and for signatures of certificates. All other kinds are rejected. */
public final class KeyRules {
    public static final int MIN_RSA_BITS = 2048;

    /** The largest RSA key, because a larger one of a foreign certificate could keep the process busy. */
    public static final int MAX_RSA_BITS = 8192;

    /** The longest public exponent, because the time of a public-key operation grows with it. */
    private static final int MAX_RSA_EXPONENT_BITS = 64;

    /** The curves of keys, with their names. */
    static final Map<ASN1ObjectIdentifier, String> CURVES = Map.of(
            SECObjectIdentifiers.secp256r1, "P-256",
            SECObjectIdentifiers.secp384r1, "P-384",
            SECObjectIdentifiers.secp521r1, "P-521");

    private static final Set<ASN1ObjectIdentifier> HASHES =
            Set.of(NISTObjectIdentifiers.id_sha256, NISTObjectIdentifiers.id_sha384, NISTObjectIdentifiers.id_sha512);

    /** The algorithms of signatures, with their names. RSA-PSS has parameters. */
    private static final Map<ASN1ObjectIdentifier, String> SIGNATURES = Map.of(
            PKCSObjectIdentifiers.sha256WithRSAEncryption, "SHA256withRSA",
            PKCSObjectIdentifiers.sha384WithRSAEncryption, "SHA384withRSA",
            PKCSObjectIdentifiers.sha512WithRSAEncryption, "SHA512withRSA",
            X9ObjectIdentifiers.ecdsa_with_SHA256, "SHA256withECDSA",
            X9ObjectIdentifiers.ecdsa_with_SHA384, "SHA384withECDSA",
            X9ObjectIdentifiers.ecdsa_with_SHA512, "SHA512withECDSA",
            EdECObjectIdentifiers.id_Ed25519, "Ed25519",
            NISTObjectIdentifiers.id_ml_dsa_65, "ML-DSA-65",
            NISTObjectIdentifiers.id_ml_dsa_87, "ML-DSA-87");

    static final String PSS = "RSASSA-PSS";

    private KeyRules() {}

    /** Returns the reason why the certificate's key must not be used; empty if it may be. */
    public static Optional<String> problem(X509Certificate certificate, CertificateUse use) {
        return problem(structure(certificate).getSubjectPublicKeyInfo(), use);
    }

    /** Returns the reason why a key must not be used; empty if it may be. */
    public static Optional<String> problem(SubjectPublicKeyInfo key, CertificateUse use) {
        ASN1ObjectIdentifier kind = key.getAlgorithm().getAlgorithm();
        if (kind.equals(PKCSObjectIdentifiers.rsaEncryption)) {
            return rsaProblem(key);
        }
        Optional<KeyAlgorithm> postQuantum = KeyAlgorithm.postQuantum(kind);
        if (postQuantum.isPresent()) {
            return postQuantumProblem(key, postQuantum.get(), use);
        }
        return kind.equals(EdECObjectIdentifiers.id_Ed25519) && use != CertificateUse.SIGNING
                ? Optional.of("its key is Ed25519, which can sign but not receive")
                : kindProblem(key.getAlgorithm());
    }

    private static Optional<String> postQuantumProblem(
            SubjectPublicKeyInfo key, KeyAlgorithm algorithm, CertificateUse use) {
        if (algorithm.isMlDsa() != (use == CertificateUse.SIGNING)) {
            return Optional.of("its key is " + algorithm.standardName()
                    + (algorithm.isMlDsa() ? ", which can sign but not receive" : ", which can receive but not sign"));
        }
        try {
            AsymmetricKeyParameter unused = PublicKeyFactory.createKey(key);
            return kindProblem(key.getAlgorithm());
        } catch (IOException | RuntimeException malformed) { // the parser throws undocumented exceptions
            return Optional.of("its " + algorithm.standardName() + " key is malformed");
        }
    }

    /** Returns the only use of an ML-KEM key; signing for any other key, which is what its rules allow. */
    static CertificateUse use(X509Certificate certificate) {
        return postQuantum(certificate).filter(KeyAlgorithm::isMlKem).isPresent()
                ? CertificateUse.RECEIVING
                : CertificateUse.SIGNING;
    }

    /** Returns the post-quantum algorithm of a certificate's key; empty for any other. */
    static Optional<KeyAlgorithm> postQuantum(X509Certificate certificate) {
        return KeyAlgorithm.postQuantum(
                structure(certificate).getSubjectPublicKeyInfo().getAlgorithm().getAlgorithm());
    }

    /** Returns the reason why a key of this algorithm must not be used; empty if its kind is supported. */
    static Optional<String> kindProblem(AlgorithmIdentifier key) {
        ASN1ObjectIdentifier kind = key.getAlgorithm();
        if (kind.equals(PKCSObjectIdentifiers.rsaEncryption) || kind.equals(EdECObjectIdentifiers.id_Ed25519)) {
            return Optional.empty();
        }
        if (KeyAlgorithm.postQuantum(kind).isPresent()) {
            return key.getParameters() == null
                    ? Optional.empty()
                    : Optional.of("its key has parameters, which its kind does not allow");
        }
        if (kind.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
            if (isCurve(key.getParameters())) {
                return Optional.empty();
            }
            return Optional.of(
                    key.getParameters() instanceof ASN1ObjectIdentifier
                            ? "its key is on an elliptic curve other than P-256, P-384 and P-521"
                            : "its EC key describes its curve by explicit parameters; only the names of P-256, P-384"
                                    + " and P-521 are accepted");
        }
        return Optional.of(
                kind.equals(PKCSObjectIdentifiers.id_RSASSA_PSS)
                        ? "its RSA key is for RSASSA-PSS alone; use an ordinary RSA key, which signs with RSA-PSS, too"
                        : "its key is of the unsupported kind " + kind);
    }

    /**
     * Returns the reason why the JDK does not read a certificate; empty if its key is not the reason.
     *
     * @throws IllegalArgumentException if it is no certificate
     */
    public static Optional<String> unreadableKey(byte[] certificate) {
        return kindProblem(
                Certificate.getInstance(certificate).getSubjectPublicKeyInfo().getAlgorithm());
    }

    /** Tells whether the parameters of an elliptic-curve key name one of the curves. */
    static boolean isCurve(@Nullable ASN1Encodable parameters) {
        return parameters instanceof ASN1ObjectIdentifier curve && CURVES.containsKey(curve);
    }

    /** Returns the reason why the signature of the certificate proves nothing; empty if it is strong. */
    public static Optional<String> signatureProblem(X509Certificate certificate) {
        return isStrong(structure(certificate).getSignatureAlgorithm())
                ? Optional.empty()
                : Optional.of("it is signed with " + certificate.getSigAlgName());
    }

    /** Tells whether a signature of this algorithm proves something. */
    public static boolean isStrong(AlgorithmIdentifier algorithm) {
        return algorithm.getAlgorithm().equals(PKCSObjectIdentifiers.id_RSASSA_PSS)
                ? isStrongPss(algorithm)
                : SIGNATURES.containsKey(algorithm.getAlgorithm());
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

    /** Returns the names of all accepted algorithms of signatures. */
    public static Set<String> signatureNames() {
        Set<String> names = new TreeSet<>(SIGNATURES.values());
        names.add(PSS);
        return names;
    }

    /** Returns the names of all accepted curves. */
    public static Set<String> curveNames() {
        return new TreeSet<>(CURVES.values());
    }

    /** Returns the name of an algorithm of signatures; its identifier if it is not accepted. */
    static String signatureName(AlgorithmIdentifier signature) {
        ASN1ObjectIdentifier algorithm = signature.getAlgorithm();
        return algorithm.equals(PKCSObjectIdentifiers.id_RSASSA_PSS)
                ? PSS
                : SIGNATURES.getOrDefault(algorithm, algorithm.getId());
    }

    /** Returns the length of an RSA key in bits; 0 for another key. */
    static int rsaBits(SubjectPublicKeyInfo key) {
        try {
            return key.getAlgorithm().getAlgorithm().equals(PKCSObjectIdentifiers.rsaEncryption)
                    ? RSAPublicKey.getInstance(key.parsePublicKey())
                            .getModulus()
                            .bitLength()
                    : 0;
        } catch (IOException e) {
            throw new IllegalArgumentException("RSA key: malformed", e);
        }
    }

    static Certificate structure(X509Certificate certificate) {
        return Certificate.getInstance(PublicKeyInfo.encoded(certificate));
    }

    /**
     * The keys and signatures that an administrator accepts in certificates. It can only be stricter than
     * {@link KeyRules}. Immutable.
     *
     * @param leastRsaBits the least length of an RSA key
     * @param curves the names of the curves of EC keys
     * @param signatures the names of the algorithms of certificates' signatures
     */
    public record KeyPolicy(int leastRsaBits, Set<String> curves, Set<String> signatures) {
        /** The policy that accepts all that {@link KeyRules} accepts. */
        public static final KeyPolicy DEFAULT =
                new KeyPolicy(MIN_RSA_BITS, Set.copyOf(CURVES.values()), Set.copyOf(signatureNames()));

        public KeyPolicy {
            curves = Set.copyOf(curves);
            signatures = Set.copyOf(signatures);
        }

        /**
         * Rejects a path with a member that the policy does not accept. The trusted end proves nothing by its
         * signature.
         */
        public void require(List<X509Certificate> path) {
            if (equals(DEFAULT)) {
                return; // the rules of paths have checked it
            }
            for (int i = 0; i < path.size(); i++) {
                X509Certificate member = path.get(i);
                requireKey(member);
                boolean signed = i < path.size() - 1;
                String signature = signatureName(structure(member).getSignatureAlgorithm());
                if (signed && !signatures.contains(signature)) {
                    throw CertificateRules.untrusted(
                            member, "it is signed with " + signature + ", which trust.json does not allow");
                }
            }
        }

        private void requireKey(X509Certificate member) {
            SubjectPublicKeyInfo key = structure(member).getSubjectPublicKeyInfo();
            int bits = rsaBits(key);
            if (bits > 0 && bits < leastRsaBits) {
                throw CertificateRules.rejected(
                        Reason.UNSUPPORTED_KEY,
                        member,
                        "its RSA key has " + bits + " bits, and trust.json asks for at least " + leastRsaBits);
            }
            if (key.getAlgorithm().getParameters() instanceof ASN1ObjectIdentifier curve
                    && !curves.contains(CURVES.get(curve))) {
                throw CertificateRules.rejected(
                        Reason.UNSUPPORTED_KEY, member, "its key is on a curve that trust.json does not allow");
            }
        }
    }
}
