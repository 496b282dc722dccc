/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.cms.RecipientInfo;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.cms.CMSEnvelopedDataGenerator;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.RecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.operator.GenericKey;
import org.bouncycastle.operator.OutputEncryptor;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts contents as CMS EnvelopedData for one recipient. A content key serves a number of messages, and each of them
 * carries the same wrapped key and an initialization vector of its own. For one thread.
 */
final class ContentEncryption {
    static final ASN1ObjectIdentifier ALGORITHM = NISTObjectIdentifiers.id_aes256_CBC;

    private final long messagesPerKey;
    private final JceCMSContentEncryptorBuilder encryptors = new JceCMSContentEncryptorBuilder(ALGORITHM);
    private final RecipientInfoGenerator wrapping;
    private final CMSEnvelopedDataGenerator generator = new CMSEnvelopedDataGenerator();

    private byte[] key = {};
    private @Nullable RecipientInfo wrapped;
    private long messages;
    private long keys;

    ContentEncryption(X509Certificate recipient, AmsProvider provider, long messagesPerKey)
            throws GeneralSecurityException {
        this.messagesPerKey = messagesPerKey;
        JceKeyTransRecipientInfoGenerator transport = new JceKeyTransRecipientInfoGenerator(recipient);
        provider.provider().ifPresent(encryptors::setProvider);
        provider.provider().ifPresent(transport::setProvider);
        wrapping = transport;
        generator.addRecipientInfoGenerator(this::recipientInfo);
    }

    byte[] encrypt(byte[] content) throws CMSException, IOException {
        if (messages == messagesPerKey) {
            wrapped = null;
            messages = 0;
        }
        OutputEncryptor encryptor = wrapped == null ? newKey() : encryptors.build(key);
        byte[] message = generator
                .generate(new CMSProcessableByteArray(content), encryptor)
                .getEncoded();
        messages++;
        return message;
    }

    private OutputEncryptor newKey() throws CMSException {
        OutputEncryptor encryptor = encryptors.build();
        if (!(encryptor.getKey().getRepresentation() instanceof byte[] bytes)) {
            throw new CMSException("content key: the provider does not show its bytes");
        }
        key = bytes;
        return encryptor;
    }

    private RecipientInfo recipientInfo(GenericKey contentKey) throws CMSException {
        RecipientInfo info = wrapped;
        if (info == null) {
            info = wrapping.generate(contentKey);
            wrapped = info;
            keys++;
        }
        return info;
    }

    /** Returns how many content keys were wrapped. */
    long keys() {
        return keys;
    }
}
