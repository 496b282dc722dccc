/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Locale;

/** The way in which a signed message identifies the signer's certificate. */
public enum CertificateInclusion {
    /** The message carries the certificate, so a reader needs only its root. */
    INCLUDED,
    /** The message names the key identifier only, and readers need the certificate. It saves 400 to 850 bytes. */
    REFERENCED;

    /** Returns the name in policy files and on the command line, in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
