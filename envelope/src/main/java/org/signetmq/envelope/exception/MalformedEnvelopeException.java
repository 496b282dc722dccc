/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** Thrown for bytes that are no envelope or entity of the format. A retry cannot help. */
public final class MalformedEnvelopeException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public MalformedEnvelopeException(String message) {
        super(message);
    }
}
