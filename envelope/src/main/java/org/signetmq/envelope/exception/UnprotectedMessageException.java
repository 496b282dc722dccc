/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** Thrown for a message in clear where the policy asks for protection. */
public final class UnprotectedMessageException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public UnprotectedMessageException(String message) {
        super(message);
    }
}
