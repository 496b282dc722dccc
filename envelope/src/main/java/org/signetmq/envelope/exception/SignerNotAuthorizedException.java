/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** Thrown when the signer is trusted but is not on the list of the policy. */
public final class SignerNotAuthorizedException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public SignerNotAuthorizedException(String message) {
        super(message);
    }
}
