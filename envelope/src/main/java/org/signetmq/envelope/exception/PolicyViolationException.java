/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** Thrown for a sound envelope that does not meet the policy of its address. */
public final class PolicyViolationException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public PolicyViolationException(String message) {
        super(message);
    }
}
