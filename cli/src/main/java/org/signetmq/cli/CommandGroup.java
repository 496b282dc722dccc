/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands of one subject, as {@code signet identity}. Without a command it is a usage error. */
abstract class CommandGroup implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        String name = spec.parent() == null ? "" : spec.name() + ": ";
        throw new ParameterException(spec.commandLine(), name + "no command given");
    }
}
