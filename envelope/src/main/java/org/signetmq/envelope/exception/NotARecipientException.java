/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** Thrown for a message that is encrypted for other recipients only. */
public final class NotARecipientException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public NotARecipientException(String message) {
        super(message);
    }
}
