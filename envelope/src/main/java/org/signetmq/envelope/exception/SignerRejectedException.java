/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.exception;

import org.signetmq.keystore.CertificateRejectedException;

/** Thrown when the signer's certificate is expired, not yet valid, revoked, unknown or not meant for signing. */
public final class SignerRejectedException extends EnvelopeException {
    private static final long serialVersionUID = 1L;

    private final CertificateRejectedException.Reason reason;

    public SignerRejectedException(CertificateRejectedException.Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** The reason for the rejection. */
    public CertificateRejectedException.Reason reason() {
        return reason;
    }
}
