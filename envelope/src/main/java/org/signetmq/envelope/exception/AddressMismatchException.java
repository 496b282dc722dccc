/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** Thrown for a message that was sealed for another address. */
public final class AddressMismatchException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public AddressMismatchException(String message) {
        super(message);
    }
}
