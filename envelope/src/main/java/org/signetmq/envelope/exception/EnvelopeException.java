/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

import org.jspecify.annotations.Nullable;

/** Root of everything thrown about a message. Texts never hold payload or key bytes. */
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

    EnvelopeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
