/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;

/** The asymmetric operations that remain for one message before it is accepted. Thread-safe. */
public final class OperationBudget {
    private int privateKey = Limits.PRIVATE_KEY_OPERATIONS;
    private int signatures = Limits.SIGNATURES;
    private @Nullable X509Certificate signer;

    /** Begins another message. */
    synchronized void beginMessage() {
        signer = null;
        renew();
    }

    /** Renews the budget after a full segment was verified. */
    public synchronized void renew() {
        privateKey = Limits.PRIVATE_KEY_OPERATIONS;
        signatures = Limits.SIGNATURES;
    }

    /** Takes an operation with a private key. Returns false if none remains. */
    public synchronized boolean takePrivateKey() {
        return privateKey > 0 && privateKey-- > 0;
    }

    /** Returns an operation that was not needed. */
    public synchronized void giveBackPrivateKey() {
        privateKey++;
    }

    /**
     * Takes the verification of a signature. One certificate signs all of a message, so its path is validated once.
     *
     * @throws MalformedEnvelopeException if none remains, or if another certificate signed this message before
     */
    public synchronized void takeSignature(X509Certificate by) {
        Malformed.when(signer != null && !signer.equals(by), "segment: its signer is not that of the first segment");
        signer = by;
        if (signatures-- <= 0) {
            signatures = 0;
            throw new MalformedEnvelopeException(
                    "envelope: more than " + Limits.SIGNATURES + " signatures to verify for a message or full segment");
        }
    }
}
