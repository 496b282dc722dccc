/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.util.Arrays;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Shell;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** The program {@code signet}. */
public final class Main {
    private Main() {}

    /** Runs the command that the arguments name and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // before the first logger is made; the broker of the demo and client libraries log through SLF4J
        String level = Arrays.asList(arguments).contains(CommandContext.DEBUG) ? "warn" : "off";
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", level);
        System.exit(run(Shell.ofProcess(), arguments));
    }

    /** Runs the command in this shell and returns its exit code. */
    static int run(Shell shell, String... arguments) {
        CommandContext context = new CommandContext(shell);
        Failures failures = new Failures(context);
        int exitCode = SignetCommand.in(context)
                .setOut(context.text())
                .setExpandAtFiles(false) // takes an argument literally, also with @ before it
                .setColorScheme(Help.defaultColorScheme(ansi(shell, arguments)))
                .setExecutionExceptionHandler(failures)
                .setParameterExceptionHandler(failures)
                .execute(arguments);
        if (exitCode == ExitCode.OK && context.out().hasFailed()) {
            shell.streams().err().println("signet: error: standard output: cannot be written");
            return ExitCode.FAILURE;
        }
        return exitCode;
    }

    private static Ansi ansi(Shell shell, String... arguments) {
        boolean wanted = shell.streams().terminal() != null
                && shell.environment().getOrDefault("NO_COLOR", "").isEmpty()
                && !Arrays.asList(arguments).contains(CommandContext.NO_COLOR);
        return wanted ? Ansi.ON : Ansi.OFF;
    }
}
