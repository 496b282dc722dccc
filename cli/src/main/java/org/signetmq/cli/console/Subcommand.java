/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command of {@code signet}, or a group of commands. Its result is an exit code. */
public abstract class Subcommand implements Callable<Integer> {
    /** The context that the command runs in. The command line sets it. */
    @SuppressWarnings("NullAway.Init")
    protected CommandContext context;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Sets the context before the command runs. */
    public final void runIn(CommandContext newContext) {
        context = newContext;
    }

    /**
     * Returns the commands of a group, in the order of its help. They are no part of its annotation: see {@code Main}.
     */
    public List<Class<?>> commands() {
        return List.of();
    }

    /** Runs the command. A group is no command by itself. */
    @Override
    public Integer call() throws Exception {
        throw usage(spec.parent() == null ? "no command given" : spec.name() + ": no command given");
    }

    /** Returns an exception with the problem of the arguments, and a hint to the help of this command. */
    protected final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
