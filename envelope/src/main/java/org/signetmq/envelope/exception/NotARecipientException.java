/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** The message is encrypted for others. */
public final class NotARecipientException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public NotARecipientException(String message) {
        super(message, null);
    }
}
