/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * The result of adding a certificate to a home.
 *
 * @param certificate the current certificate of the name
 * @param ignored certificates of the file that have no use there
 * @param untrusted the reason why the home does not trust the certificate; empty if it does
 */
public record CertificateChange(
        Kind kind, X509Certificate certificate, List<X509Certificate> ignored, Optional<String> untrusted) {
    /** The kinds of change. */
    public enum Kind {
        NEW,
        /** The earlier certificates stay behind the new one. */
        RENEWED,
        /** The home has it already, and nothing was written. */
        NONE
    }

    public CertificateChange {
        ignored = List.copyOf(ignored);
    }
}
