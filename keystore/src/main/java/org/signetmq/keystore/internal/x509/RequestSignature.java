/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.io.IOException;
import java.security.PublicKey;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCS10CertificationRequestBuilder;
import org.signetmq.keystore.PrivateKeyOperations;

/** Makes and verifies the signatures of PKCS#10 requests. */
public final class RequestSignature {
    private RequestSignature() {}

    /** Tells whether the algorithm of the signature is one that Signet verifies. */
    public static boolean isSupported(PKCS10CertificationRequest request) {
        return KeyRules.isStrong(request.getSignatureAlgorithm());
    }

    /** Tells whether the private key of this public key signed the request. */
    public static boolean isSignedBy(PKCS10CertificationRequest request, PublicKey key) {
        try {
            byte[] signed =
                    request.toASN1Structure().getCertificationRequestInfo().getEncoded("DER");
            return isSupported(request)
                    && new StructureSignature(request.getSignatureAlgorithm(), request.getSignature())
                            .isBy(key, signed);
        } catch (IOException e) {
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
