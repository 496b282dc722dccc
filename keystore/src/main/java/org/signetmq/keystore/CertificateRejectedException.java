/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

/** Thrown for a certificate that must not be used. The text names its subject and serial number. */
public final class CertificateRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The reason for the rejection. */
    public enum Reason {
        EXPIRED,
        NOT_YET_VALID,
        REVOKED,
        UNTRUSTED,
        WRONG_KEY_USAGE,
        UNSUPPORTED_KEY
    }

    private final Reason reason;

    public CertificateRejectedException(Reason reason, String message) {
        super(PrintableText.of(message, PrintableText.LONGEST_REASON));
        this.reason = reason;
    }

    /** Returns the reason for the rejection. */
    public Reason reason() {
        return reason;
    }
}
