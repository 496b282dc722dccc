/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.spec.ECGenParameterSpec;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.cms.Recipient;
import org.bouncycastle.cms.RecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyAgreeAuthEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyAgreeRecipientInfoGenerator;

/** A recipient with a P-256 key: ephemeral-static ECDH with SHA-256, AES-256 key wrap. */
final class EcParty implements CmsPeer.Party {
    private static final byte[] KEY_IDENTIFIER = new byte[20];

    private final KeyPairGenerator ephemeral;
    private final KeyPair pair;
    private final Provider provider;

    EcParty(Provider provider) throws GeneralSecurityException {
        this.provider = provider;
        ephemeral = KeyPairGenerator.getInstance("EC", provider);
        ephemeral.initialize(new ECGenParameterSpec("secp256r1"));
        pair = ephemeral.generateKeyPair();
    }

    @Override
    public RecipientInfoGenerator generator() throws GeneralSecurityException {
        KeyPair own = ephemeral.generateKeyPair();
        return new JceKeyAgreeRecipientInfoGenerator(
                        SECObjectIdentifiers.dhSinglePass_stdDH_sha256kdf_scheme,
                        own.getPrivate(),
                        own.getPublic(),
                        NISTObjectIdentifiers.id_aes256_wrap)
                .addRecipient(KEY_IDENTIFIER, pair.getPublic())
                .setProvider(provider);
    }

    @Override
    public Recipient recipient() {
        return new JceKeyAgreeAuthEnvelopedRecipient(pair.getPrivate()).setProvider(provider);
    }
}
