/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

import org.signetmq.keystore.PrintableText;

/**
 * The root of the exceptions that reject a message. Their texts never contain bytes of a payload or a key. Names in
 * them are fit for one line, and at most 2,000 characters are kept.
 */
public abstract sealed class EnvelopeException extends RuntimeException
        permits MalformedEnvelopeException,
                AuthenticationFailedException,
                NotARecipientException,
                SignerRejectedException,
                SignerNotAuthorizedException,
                AddressMismatchException,
                PolicyViolationException,
                SenderMismatchException,
                ReplayedException,
                UnprotectedMessageException {
    private static final long serialVersionUID = 1L;

    EnvelopeException(String message) {
        super(PrintableText.of(message, PrintableText.LONGEST_REASON));
    }
}
