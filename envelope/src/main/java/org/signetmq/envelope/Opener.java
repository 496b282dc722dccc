/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.Collection;
import java.util.function.Supplier;
import org.signetmq.keystore.CertificateTrust;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.policy.PolicySet;

/** Opens messages. One per client, shared by all its threads. Needs no broker and no JMS. */
public final class Opener implements AutoCloseable {
    private Opener() {}

    /**
     * What an opener works with.
     *
     * @param identities whose keys open messages
     * @param certificates finds certificates of signers that messages only reference, and those that policies name
     * @param trust decides whether a signer may be believed
     */
    public record Keys(Collection<Identity> identities, RecipientDirectory certificates, CertificateTrust trust) {}

    /** An opener; the policies are asked for at each message. */
    public static Opener create(Keys keys, Supplier<PolicySet> policies) {
        throw new UnsupportedOperationException();
    }

    /**
     * Opens what arrived from an address: an envelope, or a message in clear if the policy lets it through.
     *
     * @param bytes the message body as it arrived
     * @param address the address it was received from, without queue part or prefix
     * @throws EnvelopeException if it must not reach the application; the type says why
     */
    public OpenedMessage open(byte[] bytes, String address) {
        throw new UnsupportedOperationException();
    }

    /** Whether these bytes begin as a CMS envelope does. Cheap; proves nothing. */
    public static boolean looksSealed(byte[] bytes) {
        throw new UnsupportedOperationException();
    }

    /** Wipes all cached keys. Opening afterwards is an IllegalStateException. */
    @Override
    public void close() {}
}
