/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import org.signetmq.keystore.CertificateTrust;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.policy.EffectivePolicy;

/**
 * Tells, without the key of a recipient, whether a message already is an envelope as its policy wants it: structure,
 * algorithms, all recipients of the policy and no others; for signed messages also signature, signer and address.
 * Thread-safe.
 */
public final class EnvelopeCheck {
    private EnvelopeCheck() {}

    /**
     * A check that works with these certificates.
     *
     * @param certificates finds certificates that policies name or messages reference
     * @param trust decides whether a signer may be believed
     */
    public static EnvelopeCheck create(RecipientDirectory certificates, CertificateTrust trust) {
        throw new UnsupportedOperationException();
    }

    /** Whether the bytes are an envelope as this policy wants it for this address. Never throws on bad bytes. */
    public boolean satisfies(byte[] bytes, String address, EffectivePolicy policy) {
        throw new UnsupportedOperationException();
    }
}
