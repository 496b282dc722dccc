/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** Thrown for a signed envelope if its only fault is the sender that it names. */
public final class SenderMismatchException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public SenderMismatchException(String message) {
        super(message);
    }
}
