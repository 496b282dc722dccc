/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

/** Counts the asymmetric operations that one message may still cost before it is accepted. Thread-safe. */
final class OperationBudget {
    private int privateKey = Limits.PRIVATE_KEY_OPERATIONS;
    private int signatures = Limits.SIGNATURES;

    /** Begins with another message, or behind a full segment of this one, which was found right. */
    synchronized void renew() {
        privateKey = Limits.PRIVATE_KEY_OPERATIONS;
        signatures = Limits.SIGNATURES;
    }

    /** Takes an operation with a private key, if one is left. */
    synchronized boolean takePrivateKey() {
        return privateKey > 0 && privateKey-- > 0;
    }

    /** Gives back an operation that was taken and not needed. */
    synchronized void giveBackPrivateKey() {
        privateKey++;
    }

    /**
     * Takes the verification of a signature.
     *
     * @throws MalformedEnvelopeException if none is left
     */
    synchronized void takeSignature() {
        if (signatures-- <= 0) {
            signatures = 0;
            throw new MalformedEnvelopeException(
                    "envelope: more than " + Limits.SIGNATURES + " signatures to verify for a message or full segment");
        }
    }
}
