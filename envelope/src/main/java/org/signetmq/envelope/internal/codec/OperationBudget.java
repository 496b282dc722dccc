/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import java.security.cert.X509Certificate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;

/** The asymmetric operations that remain for one message before it is accepted. Thread-safe. */
public final class OperationBudget {
    private int privateKey = Limits.PRIVATE_KEY_OPERATIONS;
    private int signatures = Limits.SIGNATURES;
    private @Nullable X509Certificate signer;
    private @Nullable X509Certificate postQuantum;

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
     * Takes the verification of a signature, or of two by both kinds of keys. The same certificates sign all of a
     * message, so their paths are validated once.
     *
     * @param companion the certificate of the ML-DSA signature beside the other one, or null
     * @throws MalformedEnvelopeException if none remains, or if another certificate signed this message before
     */
    public synchronized void takeSignature(X509Certificate by, @Nullable X509Certificate companion) {
        Malformed.when(
                signer != null && !(signer.equals(by) && Objects.equals(postQuantum, companion)),
                "segment: its signer is not that of the first segment");
        signer = by;
        postQuantum = companion;
        if (signatures-- <= 0) {
            signatures = 0;
            throw new MalformedEnvelopeException(
                    "envelope: more than " + Limits.SIGNATURES + " signatures to verify for a message or full segment");
        }
    }
}
