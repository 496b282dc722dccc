/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.IdentityRenewal;
import picocli.CommandLine.Option;

/** The time for which a new certificate is valid. */
final class ValidityOption {
    private static final int MOST_DAYS = 3650;

    @Option(
            names = "--days",
            paramLabel = "N",
            description =
                    "How many days the certificate is valid, 1 to 3650; default 825. Its issuer may end it earlier.")
    private @Nullable Integer days;

    /** Returns the time. */
    Duration duration() {
        if (days == null) {
            return IdentityRenewal.DEFAULT_VALIDITY;
        }
        if (days < 1 || days > MOST_DAYS) {
            throw CliException.usage("--days: must be 1 to " + MOST_DAYS);
        }
        return Duration.ofDays(days);
    }
}
