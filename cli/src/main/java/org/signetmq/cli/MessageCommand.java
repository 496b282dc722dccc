/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of commands {@code signet message}. */
@Command(name = "message", description = "Seals, opens and inspects single messages.")
final class MessageCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "message: no command given");
    }
}
