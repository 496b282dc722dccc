/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** What a command that ran in this process returned and printed. */
public record Ran(int exitCode, String out, String err) {
    /** Runs {@code signet perf} with these arguments. */
    public static Ran perf(String... arguments) throws Exception {
        return of(PerfCommand.commandLine(), arguments);
    }

    /** Runs it with another command in place of the one of this name. */
    public static Ran with(String name, Callable<Integer> command, String... arguments) throws Exception {
        CommandLine perf = PerfCommand.commandLine();
        perf.getCommandSpec().removeSubcommand(name);
        perf.addSubcommand(name, command);
        return of(perf, arguments);
    }

    private static Ran of(CommandLine command, String... arguments) throws Exception {
        PrintStream realOut = System.out;
        PrintStream realErr = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            int exitCode = command.execute(arguments);
            return new Ran(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(realOut);
            System.setErr(realErr);
        }
    }
}
