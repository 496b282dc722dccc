/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Provider;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAESOAEPparams;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cms.Recipient;
import org.bouncycastle.cms.RecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyTransAuthEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;

/** A recipient with an RSA key of 2048 bits: OAEP with SHA-256. */
final class RsaParty implements CmsPeer.Party {
    private static final byte[] KEY_IDENTIFIER = new byte[20];
    private static final AlgorithmIdentifier SHA256 =
            new AlgorithmIdentifier(NISTObjectIdentifiers.id_sha256, DERNull.INSTANCE);
    private static final AlgorithmIdentifier OAEP = new AlgorithmIdentifier(
            PKCSObjectIdentifiers.id_RSAES_OAEP,
            new RSAESOAEPparams(
                    SHA256,
                    new AlgorithmIdentifier(PKCSObjectIdentifiers.id_mgf1, SHA256),
                    RSAESOAEPparams.DEFAULT_P_SOURCE_ALGORITHM));

    private final KeyPair pair;
    private final Provider provider;

    RsaParty(Provider provider) throws GeneralSecurityException {
        this.pair = RsaKeys.generate();
        this.provider = provider;
    }

    @Override
    public RecipientInfoGenerator generator() {
        return new JceKeyTransRecipientInfoGenerator(KEY_IDENTIFIER, OAEP, pair.getPublic()).setProvider(provider);
    }

    @Override
    public Recipient recipient() {
        return new JceKeyTransAuthEnvelopedRecipient(pair.getPrivate()).setProvider(provider);
    }
}
