/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** A sound envelope that is not what the policy of its address asks for. */
public final class PolicyViolationException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public PolicyViolationException(String message) {
        super(message, null);
    }
}
