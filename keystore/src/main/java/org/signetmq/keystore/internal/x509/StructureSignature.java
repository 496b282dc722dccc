/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PSSParameterSpec;
import java.util.Map;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * The signature of a revocation list, of an OCSP answer or of a request for a certificate.
 *
 * @param value owned by this object
 */
public record StructureSignature(AlgorithmIdentifier algorithm, byte[] value) {
    /** The names of weak algorithms. SHA-1 can revoke, but {@link #isStrong} does not let it prove anything else. */
    private static final Map<ASN1ObjectIdentifier, String> WEAK = Map.of(
            PKCSObjectIdentifiers.sha1WithRSAEncryption, "SHA1withRSA",
            X9ObjectIdentifiers.ecdsa_with_SHA1, "SHA1withECDSA");

    /** Tells whether the algorithm is one that the rules for certificates accept. */
    public boolean isStrong() {
        return KeyRules.isStrong(algorithm);
    }

    /** Tells whether this key signed these bytes. */
    public boolean isBy(PublicKey key, byte[] bytes) {
        String name = KeyRules.signatureName(algorithm);
        try {
            Signature verifying =
                    CertificateProviders.verifying(WEAK.getOrDefault(algorithm.getAlgorithm(), name), key);
            if (name.equals(KeyRules.PSS)) {
                verifying.setParameter(parameters());
            }
            verifying.update(bytes);
            return verifying.verify(value);
        } catch (GeneralSecurityException | IOException | RuntimeException unverifiable) {
            return false;
        }
    }

    private PSSParameterSpec parameters() throws GeneralSecurityException, IOException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance(KeyRules.PSS);
        parameters.init(algorithm.getParameters().toASN1Primitive().getEncoded());
        return parameters.getParameterSpec(PSSParameterSpec.class);
    }
}
