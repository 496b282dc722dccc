/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.codec.KeptUnlessRefused;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.signature.SignatureCheck;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.VerifiedSigner;
import org.signetmq.policy.Policy;

/**
 * The content of an envelope whose signature and tag are right. Once the rest of the message was found right too, it is
 * accepted, and what serves the next message is remembered. It is closed in any case.
 *
 * @param structure what protected it
 * @param content where it lies: in a workspace or in the envelope
 * @param signature or null
 * @param key or null
 */
record VerifiedContent(
        EnvelopeStructure structure,
        Slice content,
        SignatureCheck.@Nullable Verified signature,
        @Nullable FoundKey key) implements AutoCloseable {
    /** The signer, or null. */
    @Nullable
    VerifiedSigner signer() {
        return signature == null ? null : signature.signer();
    }

    /** The sender that the header names, if a broker vouches for it that the policy names; else null. */
    @Nullable
    String provedSender(Entity head, @Nullable Policy policy) {
        String named = head.attribution().sender();
        return named != null && signature != null && signature.isBroker(policy) ? named : null;
    }

    /** Remembers what serves the next message: this one is right. */
    void accept() {
        accept(KeptUnlessRefused.ACCEPTED);
    }

    /** As {@link #accept()}, of a message that may still be refused. */
    void accept(KeptUnlessRefused kept) {
        if (signature != null) {
            signature.accept(kept);
        }
        if (key != null) {
            key.accept(kept);
        }
    }

    @Override
    public void close() {
        if (key != null) {
            key.close();
        }
    }
}
