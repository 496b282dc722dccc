/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.signetmq.cli.command.bundle.document.Bundle;
import org.signetmq.cli.command.bundle.document.BundleEntry;
import org.signetmq.cli.command.bundle.document.Fingerprint;
import org.signetmq.cli.command.bundle.document.HomeFolder;
import org.signetmq.cli.console.Failures;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.PrintableText;
import org.signetmq.policy.Policy;

/** Describes bundles, as text and for programs. */
final class BundleText {
    /** The longest name that is shown, in characters. */
    private static final int LONGEST_NAME = 300;

    private BundleText() {}

    /** Returns the name in a certificate, without characters that reorder or hide the text around it. */
    static String name(X509Certificate certificate) {
        return name(DistinguishedName.shown(certificate.getSubjectX500Principal()));
    }

    /** Returns a name that the author of the bundle chose, in the same form. */
    static String name(String chosen) {
        return PrintableText.of(Failures.oneLine(chosen), LONGEST_NAME);
    }

    /** A certificate for programs. */
    record Certificate(String dn, String fingerprint, String notAfter) {
        static Certificate of(X509Certificate certificate) {
            return new Certificate(
                    name(certificate),
                    Fingerprint.of(certificate),
                    certificate.getNotAfter().toInstant().toString());
        }
    }

    /** A file for programs. */
    record Entry(String path, List<Certificate> certificates) {
        static Entry of(BundleEntry entry) {
            return new Entry(
                    entry.path(),
                    entry.certificates().stream().map(Certificate::of).toList());
        }
    }

    /** Returns a line for each file and each policy. */
    static List<String> content(Bundle bundle) {
        List<String> lines = new ArrayList<>();
        for (BundleEntry entry : bundle.entries()) {
            if (entry.folder() == HomeFolder.CRL) {
                lines.add(entry.path() + ": " + entry.encoded().size() + " revocation list"
                        + (entry.encoded().size() == 1 ? "" : "s"));
            }
            for (X509Certificate certificate : entry.certificates()) {
                lines.add(entry.path() + ": "
                        + name(certificate) + ", until "
                        + certificate.getNotAfter().toInstant() + ", SHA-256 " + Fingerprint.of(certificate));
            }
        }
        for (Policy policy : bundle.policies().policies()) {
            lines.add("policy " + Failures.oneLine(policy.pattern()) + ": "
                    + policy.quality().label());
        }
        return lines;
    }
}
