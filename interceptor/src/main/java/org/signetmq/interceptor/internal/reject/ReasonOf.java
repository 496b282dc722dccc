/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;

/** Finds the kind of reason of a rejection. */
final class ReasonOf {
    private ReasonOf() {}

    /** Returns the kind of reason for this failure. It never throws. */
    static RejectionReason failure(Throwable problem) {
        if (problem instanceof MessageRejectedException rejected) {
            return rejected.reason();
        }
        if (problem instanceof CertificateRejectedException) {
            return RejectionReason.CERTIFICATE;
        }
        if (problem instanceof KeystoreUnusableException) {
            return RejectionReason.KEY;
        }
        if (problem instanceof EnvelopeException envelope) {
            return envelope(envelope);
        }
        if (problem.getCause() instanceof MessageRejectedException copy) { // the plugin rejected a copy of the message
            return copy.reason();
        }
        if (problem instanceof ActiveMQSecurityException) {
            return RejectionReason.NO_PERMISSION;
        }
        return problem instanceof ActiveMQException ? RejectionReason.BROKER : RejectionReason.INTERNAL;
    }

    private static RejectionReason envelope(EnvelopeException problem) {
        if (problem instanceof AddressMismatchException) {
            return RejectionReason.ADDRESS_MISMATCH;
        }
        if (problem instanceof NotARecipientException) {
            return RejectionReason.RECIPIENT;
        }
        if (problem instanceof PolicyViolationException) {
            return RejectionReason.POLICY_VIOLATION;
        }
        if (problem instanceof SenderMismatchException) {
            return RejectionReason.SENDER;
        }
        if (problem instanceof SignerRejectedException) {
            return RejectionReason.CERTIFICATE;
        }
        if (problem instanceof SignerNotAuthorizedException) {
            return RejectionReason.SIGNER;
        }
        return problem instanceof UnprotectedMessageException ? RejectionReason.NOT_SEALED : RejectionReason.ENVELOPE;
    }
}
