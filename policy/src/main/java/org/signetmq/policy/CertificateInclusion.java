/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Locale;

/** Whether a signed message carries the signer's certificate. */
public enum CertificateInclusion {
    /** The certificate travels in the message: any reader with the root can verify. */
    INCLUDED,
    /** The message names the key identifier alone; readers hold the certificate. Saves 400 to 850 bytes. */
    REFERENCED;

    /** The name in policy files and on the command line: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
