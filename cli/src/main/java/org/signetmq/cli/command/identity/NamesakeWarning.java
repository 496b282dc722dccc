/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.security.cert.X509Certificate;
import java.util.List;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.home.IssuedCertificates;

/** Warns of a name that the home issued to several keys, as an operator may decide. */
final class NamesakeWarning {
    private NamesakeWarning() {}

    /** Warns if other keys have a certificate of the same name that has not ended. */
    static void warnOfOtherKeys(X509Certificate made, CommandContext context) {
        KeyIdentifier own = KeyIdentifier.ofKey(made);
        List<String> others = new IssuedCertificates(
                        context.existingHome(), context.shell().clock())
                .of(made.getSubjectX500Principal()).stream()
                        .map(KeyIdentifier::ofKey)
                        .filter(key -> !key.equals(own))
                        .map(KeyIdentifier::toString)
                        .distinct()
                        .toList();
        if (!others.isEmpty()) {
            context.warn(
                    "other keys have certificates of this home with the same distinguished name that have not ended: "
                            + String.join(", ", others));
        }
    }
}
