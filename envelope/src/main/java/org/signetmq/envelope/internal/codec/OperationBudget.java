/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.format.Limits;

/** Counts the asymmetric operations that one message may still cost before it is accepted. Thread-safe. */
public final class OperationBudget {
    private int privateKey = Limits.PRIVATE_KEY_OPERATIONS;
    private int signatures = Limits.SIGNATURES;
    private @Nullable X509Certificate signer;

    /** Begins with another message. */
    synchronized void beginMessage() {
        signer = null;
        renew();
    }

    /** Begins behind a full segment of the message, which was found right. */
    public synchronized void renew() {
        privateKey = Limits.PRIVATE_KEY_OPERATIONS;
        signatures = Limits.SIGNATURES;
    }

    /** Takes an operation with a private key, if one is left. */
    public synchronized boolean takePrivateKey() {
        return privateKey > 0 && privateKey-- > 0;
    }

    /** Gives back an operation that was taken and not needed. */
    public synchronized void giveBackPrivateKey() {
        privateKey++;
    }

    /**
     * Takes the verification of a signature. All signatures of a message are of one certificate, so its path is
     * validated once.
     *
     * @throws MalformedEnvelopeException if none is left, or if another certificate signed this message before
     */
    public synchronized void takeSignature(X509Certificate by) {
        if (signer != null && !signer.equals(by)) {
            throw new MalformedEnvelopeException("segment: another signer than that of the first");
        }
        signer = by;
        if (signatures-- <= 0) {
            signatures = 0;
            throw new MalformedEnvelopeException(
                    "envelope: more than " + Limits.SIGNATURES + " signatures to verify for a message or full segment");
        }
    }
}
