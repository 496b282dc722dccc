/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** Not an envelope or entity as the format has it: retrying cannot help. */
public final class MalformedEnvelopeException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public MalformedEnvelopeException(String message) {
        super(message, null);
    }
}
