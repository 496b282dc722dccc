/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import org.signetmq.cli.install.Installation;
import picocli.CommandLine.Option;

/** The option that gives the addresses of dead letters settings of their own. */
final class DeadLetterOptions {
    @Option(
            names = "--dead-letter-settings",
            description = "Give the dead-letter and expiry addresses that broker.xml names settings of their own, if "
                    + "they have none: the broker then moves a message there no second time.")
    private boolean settings;

    /** Returns what the administrator chooses, with this choice. */
    Installation.Given with(Installation.Given given) {
        return new Installation.Given(
                given.properties(),
                given.roles(),
                settings ? Installation.DeadLetters.WITH_SETTINGS : Installation.DeadLetters.AS_THEY_ARE);
    }
}
