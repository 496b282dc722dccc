/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** Thrown when a signature or an authentication tag does not match: the message was changed, or another key made it. */
public final class AuthenticationFailedException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public AuthenticationFailedException(String message) {
        super(message);
    }
}
