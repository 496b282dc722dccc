/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of commands {@code signet policy}. */
@Command(name = "policy", description = "Says what messages on which addresses must carry.")
final class PolicyCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "policy: no command given");
    }
}
