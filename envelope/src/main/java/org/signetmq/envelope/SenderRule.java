/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

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

    /**
     * Returns the reason why the signer does not belong to the user of the session; empty if it does, or if no client
     * sends the message. Only for policies that bind users.
     *
     * @param isSigner tells whether one of these names, distinguished names and key identifiers means the signer
     */
    default Optional<String> problemWithSigner(Predicate<List<String>> isSigner) {
        return Optional.empty();
    }
}
