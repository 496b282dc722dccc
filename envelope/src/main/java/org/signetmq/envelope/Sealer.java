/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import org.signetmq.keystore.CertificateTrust;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.policy.EffectivePolicy;

/** Protects messages. One per broker or client, shared by all its threads. */
public final class Sealer implements AutoCloseable {
    private Sealer() {}

    /**
     * A sealer for recipients of this directory.
     *
     * @param recipients finds the certificates that policies name
     * @param trust decides whether they may be used
     */
    public static Sealer create(RecipientDirectory recipients, CertificateTrust trust) {
        throw new UnsupportedOperationException();
    }

    /**
     * Seals a message as the policy says.
     *
     * @param signer who signs, if the policy signs
     * @return one DER envelope (CMS ContentInfo); for quality none the payload itself
     * @throws org.signetmq.keystore.KeystoreUnusableException if a recipient is unknown or a key cannot be used
     * @throws org.signetmq.keystore.CertificateRejectedException if a recipient's or the signer's certificate may not
     *     be used
     */
    public byte[] seal(ClearMessage message, EffectivePolicy policy, Identity signer) {
        throw new UnsupportedOperationException();
    }

    /** How many bytes sealing adds at most to a payload of this message under this policy. */
    public int overhead(ClearMessage message, EffectivePolicy policy, Identity signer) {
        throw new UnsupportedOperationException();
    }

    /** Wipes all keys. Sealing afterwards is an IllegalStateException. */
    @Override
    public void close() {}
}
