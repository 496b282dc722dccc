/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;

/** Why a message could not be opened. */
public enum OpenFailure {
    /** Not an envelope, or its content is not as the format has it. */
    MALFORMED,
    /** A signature or authentication tag does not fit: the message was changed. */
    AUTHENTICATION_FAILED,
    /** The message is encrypted for others. */
    NOT_A_RECIPIENT,
    /** The signer's certificate is expired, not yet valid, revoked, unknown or not meant for signing. */
    SIGNER_REJECTED,
    /** The signer is trusted but not on the policy's list. */
    SIGNER_NOT_AUTHORIZED,
    /** The message was sealed for another address. */
    ADDRESS_MISMATCH,
    /** A sound envelope that does not satisfy the policy of its address. */
    POLICY_VIOLATION,
    /** A message in clear where the policy asks for protection. */
    UNPROTECTED,
    /** Own keys or certificates that cannot be read or used. */
    KEYSTORE,
    /** A defect or a lack of memory. */
    INTERNAL;

    static OpenFailure of(Throwable cause) {
        if (cause instanceof MalformedEnvelopeException) {
            return MALFORMED;
        } else if (cause instanceof AuthenticationFailedException) {
            return AUTHENTICATION_FAILED;
        } else if (cause instanceof NotARecipientException) {
            return NOT_A_RECIPIENT;
        } else if (cause instanceof SignerRejectedException) {
            return SIGNER_REJECTED;
        } else if (cause instanceof SignerNotAuthorizedException) {
            return SIGNER_NOT_AUTHORIZED;
        } else if (cause instanceof AddressMismatchException) {
            return ADDRESS_MISMATCH;
        } else if (cause instanceof PolicyViolationException) {
            return POLICY_VIOLATION;
        } else if (cause instanceof UnprotectedMessageException) {
            return UNPROTECTED;
        } else if (cause instanceof KeystoreUnusableException || cause instanceof CertificateRejectedException) {
            return KEYSTORE;
        } else {
            return INTERNAL;
        }
    }
}
