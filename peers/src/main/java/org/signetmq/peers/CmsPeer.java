/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.security.GeneralSecurityException;
import java.security.Provider;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.cms.CMSAuthEnvelopedData;
import org.bouncycastle.cms.CMSAuthEnvelopedDataGenerator;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.Recipient;
import org.bouncycastle.cms.RecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.operator.OutputAEADEncryptor;

/**
 * Bouncy Castle's stock generators and parsers of CMS: AuthEnvelopedData with AES-256-GCM, a key per message, nothing
 * remembered.
 */
final class CmsPeer implements Peer<byte[]> {
    /** The one recipient of a message. */
    interface Party {
        /** Wraps for the recipient, once. */
        RecipientInfoGenerator generator() throws GeneralSecurityException;

        /** Unwraps. */
        Recipient recipient();
    }

    private final Party party;
    private final Provider aes;

    CmsPeer(Party party, Provider aes) {
        this.party = party;
        this.aes = aes;
    }

    @Override
    public byte[] seal(byte[] payload) throws Exception {
        CMSAuthEnvelopedDataGenerator generator = new CMSAuthEnvelopedDataGenerator();
        generator.addRecipientInfoGenerator(party.generator());
        OutputAEADEncryptor encryptor =
                (OutputAEADEncryptor) new JceCMSContentEncryptorBuilder(NISTObjectIdentifiers.id_aes256_GCM)
                        .setProvider(aes)
                        .build();
        return generator
                .generate(new CMSProcessableByteArray(payload), encryptor)
                .getEncoded();
    }

    @Override
    public byte[] open(byte[] sealed) throws CMSException {
        return new CMSAuthEnvelopedData(sealed)
                .getRecipientInfos()
                .iterator()
                .next()
                .getContent(party.recipient());
    }
}
