/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** A signature or authentication tag that does not fit: the message was changed, or is not from whom it says. */
public final class AuthenticationFailedException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public AuthenticationFailedException(String message) {
        super(message, null);
    }
}
