/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cms.CMSEnvelopedData;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.RecipientInformation;
import org.bouncycastle.cms.jcajce.JceKeyTransEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientId;

/**
 * Decrypts CMS EnvelopedData. It compares the wrapped key of a message with those of the keys that it remembers, and
 * unwraps only a new one. For one thread.
 */
final class ContentDecryption {
    private final JceKeyTransRecipientId own;
    private final RememberingRecipient recipient;

    ContentDecryption(AmsIdentity identity, AmsProvider provider, int rememberedKeys) {
        X509Certificate certificate = identity.certificate();
        own = new JceKeyTransRecipientId(certificate);
        recipient = new RememberingRecipient(identity, rememberedKeys);
        provider.provider().ifPresent(recipient::setProvider);
    }

    byte[] decrypt(byte[] message) throws CMSException, GeneralSecurityException {
        CMSEnvelopedData enveloped = new CMSEnvelopedData(message);
        if (!enveloped.getEncryptionAlgOID().equals(ContentEncryption.ALGORITHM.getId())) {
            throw new GeneralSecurityException("cipher: must be AES-256-CBC, found " + enveloped.getEncryptionAlgOID());
        }
        RecipientInformation info = enveloped.getRecipientInfos().get(own);
        if (info == null) {
            throw new GeneralSecurityException("recipient: the message is for another one");
        }
        return info.getContent(recipient);
    }

    long unwraps() {
        return recipient.unwraps;
    }

    /** The recipient's private key with the content keys that it opened last. */
    private static final class RememberingRecipient extends JceKeyTransEnvelopedRecipient {
        private final Map<ByteBuffer, Key> remembered;
        private long unwraps;

        RememberingRecipient(AmsIdentity identity, int most) {
            super(identity.key());
            setKeySizeValidation(true);
            remembered = new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Key> eldest) {
                    return size() > most;
                }
            };
        }

        @Override
        protected Key extractSecretKey(AlgorithmIdentifier wrapping, AlgorithmIdentifier cipher, byte[] wrapped)
                throws CMSException {
            ByteBuffer name = ByteBuffer.wrap(wrapped);
            Key key = remembered.get(name);
            if (key == null) {
                unwraps++;
                key = super.extractSecretKey(wrapping, cipher, wrapped);
                remembered.put(name, key);
            }
            return key;
        }
    }
}
