/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Optional;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.CMSTypedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.SignerInformationVerifier;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.OperatorCreationException;

/**
 * Signs and verifies contents as CMS SignedData, which contains the content and the signer's certificate. For one
 * thread.
 */
final class MessageSignature {
    static final String ALGORITHM = "SHA512withRSA";

    private final X509CertificateHolder known;
    private final CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
    private final SignerInformationVerifier verifier;

    MessageSignature(AmsIdentity signer, AmsProvider provider) throws GeneralSecurityException {
        X509Certificate certificate = signer.certificate();
        known = new JcaX509CertificateHolder(certificate);
        try {
            JcaSimpleSignerInfoGeneratorBuilder signing = new JcaSimpleSignerInfoGeneratorBuilder();
            JcaSimpleSignerInfoVerifierBuilder verifying = new JcaSimpleSignerInfoVerifierBuilder();
            Optional<Provider> given = provider.provider();
            if (given.isPresent()) {
                signing.setProvider(given.get());
                verifying.setProvider(given.get());
            }
            generator.addSignerInfoGenerator(signing.build(ALGORITHM, signer.key(), certificate));
            generator.addCertificate(known);
            verifier = verifying.build(certificate);
        } catch (OperatorCreationException | CMSException e) {
            throw new GeneralSecurityException("signature: " + ALGORITHM + " is not available", e);
        }
    }

    byte[] sign(byte[] content) throws CMSException, IOException {
        return generator.generate(new CMSProcessableByteArray(content), true).getEncoded();
    }

    /** Returns the content if the known signer alone has signed it with SHA-512. */
    byte[] verify(byte[] message) throws CMSException, GeneralSecurityException {
        CMSSignedData signed = new CMSSignedData(message);
        Collection<SignerInformation> signers = signed.getSignerInfos().getSigners();
        if (signers.size() != 1) {
            throw new GeneralSecurityException("signature: must be of one signer, found " + signers.size());
        }
        SignerInformation signer = signers.iterator().next();
        // the known certificate verifies: one from the message would verify the signature of anybody
        if (!signer.getSID().match(known)
                || !signed.getCertificates().getMatches(null).contains(known)) {
            throw new GeneralSecurityException("signature: another sender's");
        }
        if (!signer.getDigestAlgOID().equals(NISTObjectIdentifiers.id_sha512.getId())) {
            throw new GeneralSecurityException("signature: must have SHA-512, found " + signer.getDigestAlgOID());
        }
        CMSTypedData content = signed.getSignedContent();
        if (content == null || !signer.verify(verifier)) {
            throw new GeneralSecurityException("signature: does not fit the content");
        }
        return (byte[]) content.getContent();
    }
}
