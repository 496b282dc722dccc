/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.security.cert.X509Certificate;

/** Decides whether an envelope may name a sender, unless a broker of the policy signed it. Thread-safe. */
@FunctionalInterface
public interface SenderRule {
    /** Accepts any sender, for messages that do not come from a client. */
    SenderRule ANY = (sender, signer) -> true;

    /**
     * Tells whether the envelope may name the sender.
     *
     * @param sender the sender that the envelope names
     * @param signer the signer's trusted certificate
     */
    boolean accepts(String sender, X509Certificate signer);
}
