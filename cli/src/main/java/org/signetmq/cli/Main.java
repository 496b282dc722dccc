/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.GlobalOptions;
import org.signetmq.cli.console.Shell;
import org.signetmq.cli.console.StandardStream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** The program {@code signet}. */
public final class Main {
    private Main() {}

    /** Runs the command that the arguments name and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // before the first logger is made; the broker of the demo and client libraries log through SLF4J
        String level = Arrays.asList(arguments).contains(GlobalOptions.DEBUG) ? "warn" : "off";
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", level);
        System.exit(run(Shell.ofProcess(), arguments));
    }

    /** Runs the command in this shell and returns its exit code. */
    static int run(Shell shell, String... arguments) {
        CommandContext context = new CommandContext(shell);
        Failures failures = new Failures(context);
        PrintStream out = shell.streams().out();
        CommandLine signet = SignetCommand.in(context)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(shell.streams().err(), true, StandardCharsets.UTF_8))
                .setExpandAtFiles(false) // takes an argument literally, also with @ before it
                .setColorScheme(Help.defaultColorScheme(ansi(shell, arguments)))
                .setExitCodeExceptionMapper(failures)
                .setExecutionExceptionHandler(failures)
                .setParameterExceptionHandler(failures);
        int exitCode = signet.execute(arguments);
        if (out.checkError() && exitCode == ExitCode.OK && !StandardStream.isClosedPipe(out)) {
            shell.streams().err().println("signet: error: standard output: cannot be written");
            return ExitCode.FAILURE;
        }
        return exitCode;
    }

    private static Ansi ansi(Shell shell, String... arguments) {
        boolean wanted = shell.streams().terminal() != null
                && shell.environment().getOrDefault("NO_COLOR", "").isEmpty()
                && !Arrays.asList(arguments).contains(GlobalOptions.NO_COLOR);
        return wanted ? Ansi.ON : Ansi.OFF;
    }
}
