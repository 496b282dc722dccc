/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import java.io.IOException;
import java.security.GeneralSecurityException;
import org.bouncycastle.cms.CMSException;
import org.signetmq.policy.QualityOfProtection;

/**
 * Seals messages for one recipient. Its content key belongs to it alone, as in AMS: another producer makes another key.
 * For one thread.
 */
public final class AmsProducer {
    private final QualityOfProtection quality;
    private final MessageSignature signature;
    private final ContentEncryption encryption;

    AmsProducer(AmsRoute route) throws GeneralSecurityException {
        quality = route.variant().quality();
        signature = new MessageSignature(route.sender(), route.provider());
        // AMS reuses keys for confidentiality alone
        long messagesPerKey = quality == QualityOfProtection.CONFIDENTIALITY
                ? route.variant().reuse().messagesPerKey()
                : 1;
        encryption = new ContentEncryption(route.recipient().certificate(), route.provider(), messagesPerKey);
    }

    /**
     * Returns the payload as SignedData (integrity), as SignedData inside EnvelopedData (privacy), or as EnvelopedData
     * (confidentiality).
     */
    public byte[] seal(byte[] payload) throws GeneralSecurityException {
        try {
            return switch (quality) {
                case NONE -> throw new IllegalStateException("quality: a route protects");
                case INTEGRITY -> signature.sign(payload);
                case PRIVACY -> encryption.encrypt(signature.sign(payload));
                case CONFIDENTIALITY -> encryption.encrypt(payload);
            };
        } catch (CMSException | IOException e) {
            throw new GeneralSecurityException("message: cannot be sealed", e);
        }
    }

    /** Returns how many content keys this producer made and wrapped. */
    public long keys() {
        return encryption.keys();
    }
}
