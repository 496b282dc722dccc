/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.signature.SignatureVerifier;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.VerifiedSigner;
import org.signetmq.policy.Policy;

/**
 * The content of an envelope with a verified signature and tag. The caller accepts it after all checks of the message,
 * which caches its key and certificate, and closes it in any case. The content lies in the buffers or in the envelope.
 */
record VerifiedContent(
        EnvelopeStructure structure,
        Slice content,
        SignatureVerifier.@Nullable Verified signature,
        @Nullable OpenedDataKey key)
        implements AutoCloseable {
    /** The signer, or null. */
    @Nullable
    VerifiedSigner signer() {
        return signature == null ? null : signature.signer();
    }

    /** The sender in the header if a broker identity of the policy signed it, else null. */
    @Nullable
    String provedSender(Entity head, @Nullable Policy policy) {
        String named = head.attribution().sender();
        return named != null && signature != null && signature.isBroker(policy) ? named : null;
    }

    /** Accepts the message, or a part of it, and keeps its key and certificate in the caches. */
    void accept(PendingCacheEntries kept) {
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
