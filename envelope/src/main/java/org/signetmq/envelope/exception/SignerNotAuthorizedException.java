/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

/** The signer is trusted but not on the policy's list. */
public final class SignerNotAuthorizedException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    public SignerNotAuthorizedException(String message) {
        super(message, null);
    }
}
