/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.security.cert.X509Certificate;

/**
 * Decides whether a signed envelope may name this sender. Asked for envelopes that name one and that no broker identity
 * of their policy signed.
 */
@FunctionalInterface
public interface SenderRule {
    /** Any sender: for messages that do not come from a client. */
    SenderRule ANY = (sender, signer) -> true;

    /**
     * Whether the envelope may name the sender.
     *
     * @param sender what the envelope says
     * @param signer the signer's certificate, which is trusted
     */
    boolean accepts(String sender, X509Certificate signer);
}
