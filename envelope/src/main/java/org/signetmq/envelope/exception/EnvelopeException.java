/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** The root of the exceptions that reject a message. Their texts never contain bytes of a payload or a key. */
public abstract sealed class EnvelopeException extends RuntimeException
        permits MalformedEnvelopeException,
                AuthenticationFailedException,
                NotARecipientException,
                SignerRejectedException,
                SignerNotAuthorizedException,
                AddressMismatchException,
                PolicyViolationException,
                SenderMismatchException,
                UnprotectedMessageException {
    private static final long serialVersionUID = 1L;

    EnvelopeException(String message) {
        super(message);
    }
}
