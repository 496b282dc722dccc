/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import java.security.GeneralSecurityException;
import org.bouncycastle.cms.CMSException;
import org.signetmq.policy.QualityOfProtection;

/**
 * Opens messages of one sender. It remembers the content keys that it opened last: one in AMS, more to find out what
 * that costs. For one thread.
 *
 * <p>Signatures detect each change of a payload. Without a signature, the padding of CBC and the structure of CMS
 * detect some changes by chance, and the others give another payload.
 */
public final class AmsConsumer {
    private final QualityOfProtection quality;
    private final MessageSignature signature;
    private final ContentDecryption decryption;

    AmsConsumer(AmsRoute route, int rememberedKeys) throws GeneralSecurityException {
        if (rememberedKeys < 1) {
            throw new IllegalArgumentException("remembered keys: must be at least 1, found " + rememberedKeys);
        }
        quality = route.variant().quality();
        signature = new MessageSignature(route.sender(), route.provider());
        decryption = new ContentDecryption(route.recipient(), route.provider(), rememberedKeys);
    }

    /**
     * Returns the payload.
     *
     * @throws GeneralSecurityException if the message is damaged, of another quality, of another sender, or for another
     *     recipient
     */
    public byte[] open(byte[] message) throws GeneralSecurityException {
        try {
            return switch (quality) {
                case NONE -> throw new IllegalStateException("quality: a route protects");
                case INTEGRITY -> signature.verify(message);
                case PRIVACY -> signature.verify(decryption.decrypt(message));
                case CONFIDENTIALITY -> decryption.decrypt(message);
            };
        } catch (CMSException | RuntimeException e) {
            // Bouncy Castle throws various exceptions for structures that it does not expect
            throw new GeneralSecurityException("message: cannot be opened", e);
        }
    }

    /** Returns how many content keys this consumer unwrapped, or tried to unwrap. */
    public long unwraps() {
        return decryption.unwraps();
    }
}
