/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** Thrown for a message that was opened before, within the replay window of its policy. */
public final class ReplayedException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public ReplayedException(String message) {
        super(message);
    }
}
