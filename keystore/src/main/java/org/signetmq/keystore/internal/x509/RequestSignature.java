/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.signetmq.keystore.SignatureScheme.ECDSA;
import static org.signetmq.keystore.SignatureScheme.ED25519;
import static org.signetmq.keystore.SignatureScheme.RSA;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.edec.EdECObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCS10CertificationRequestBuilder;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.crypto.CryptoProviders;

/** Makes and verifies the signatures of PKCS#10 requests. */
public final class RequestSignature {
    private record Algorithm(SignatureScheme scheme, String digest) {}

    private static final Map<ASN1ObjectIdentifier, Algorithm> ALGORITHMS = Map.of(
            PKCSObjectIdentifiers.sha256WithRSAEncryption, new Algorithm(RSA, "SHA-256"),
            PKCSObjectIdentifiers.sha384WithRSAEncryption, new Algorithm(RSA, "SHA-384"),
            PKCSObjectIdentifiers.sha512WithRSAEncryption, new Algorithm(RSA, "SHA-512"),
            X9ObjectIdentifiers.ecdsa_with_SHA256, new Algorithm(ECDSA, "SHA-256"),
            X9ObjectIdentifiers.ecdsa_with_SHA384, new Algorithm(ECDSA, "SHA-384"),
            X9ObjectIdentifiers.ecdsa_with_SHA512, new Algorithm(ECDSA, "SHA-512"),
            EdECObjectIdentifiers.id_Ed25519, new Algorithm(ED25519, "SHA-512"));

    private RequestSignature() {}

    /** Tells whether the algorithm of the signature is one that Signet verifies. */
    public static boolean isSupported(PKCS10CertificationRequest request) {
        return ALGORITHMS.containsKey(request.getSignatureAlgorithm().getAlgorithm());
    }

    /** Tells whether the private key of this public key signed the request. */
    public static boolean isSignedBy(PKCS10CertificationRequest request, PublicKey key) {
        Algorithm algorithm = ALGORITHMS.get(request.getSignatureAlgorithm().getAlgorithm());
        if (algorithm == null || !SignatureScheme.of(key).equals(Optional.of(algorithm.scheme()))) {
            return false;
        }
        try {
            Signature verifying = CryptoProviders.jdk().verifying(algorithm.scheme(), algorithm.digest(), key);
            verifying.update(
                    request.toASN1Structure().getCertificationRequestInfo().getEncoded("DER"));
            return verifying.verify(request.getSignature());
        } catch (GeneralSecurityException | IOException e) {
            return false;
        }
    }

    /** Returns a request for a certificate that signs and receives messages. */
    public static PKCS10CertificationRequest make(X500Name subject, PublicKey publicKey, PrivateKeyOperations key) {
        PKCS10CertificationRequestBuilder builder = new PKCS10CertificationRequestBuilder(
                subject, SubjectPublicKeyInfo.getInstance(publicKey.getEncoded()));
        builder.addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions(publicKey));
        return builder.build(new KeySigner(publicKey, key));
    }

    private static Extensions extensions(PublicKey key) {
        ExtensionsGenerator extensions = new ExtensionsGenerator();
        try {
            extensions.addExtension(Extension.keyUsage, true, new KeyUsage(CertificateIssuer.leafUsage(key)));
            extensions.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_emailProtection));
            return extensions.generate();
        } catch (IOException e) {
            throw new IllegalStateException("extensions: cannot be encoded", e);
        }
    }
}
