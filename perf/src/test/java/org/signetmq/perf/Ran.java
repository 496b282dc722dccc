/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine;

/** What a command that ran in this process returned and printed. */
public record Ran(int exitCode, String out, String err) {
    /** Runs {@code signet perf} with these arguments. */
    public static Ran perf(String... arguments) throws Exception {
        return of(PerfCommand::commandLine, arguments);
    }

    /** Runs it with another command in place of the one of this name. */
    public static Ran with(String name, Callable<Integer> command, String... arguments) throws Exception {
        return of(
                () -> {
                    CommandLine perf = PerfCommand.commandLine();
                    perf.getCommandSpec().removeSubcommand(name);
                    return perf.addSubcommand(name, command);
                },
                arguments);
    }

    /**
     * Runs it as users do: from its jar, in a process of its own.
     *
     * @param temporary made here, for all that it leaves behind
     * @param patience how long that may take
     */
    public static Ran fromJar(Path temporary, Duration patience, String... arguments) throws Exception {
        Files.createDirectory(temporary);
        Path out = temporary.resolveSibling("out");
        Path err = temporary.resolveSibling("err");
        Process process = new ProcessBuilder(jar(List.of("-Djava.io.tmpdir=" + temporary), List.of(arguments)))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("not done after " + patience + ": " + Files.readString(err));
        }
        return new Ran(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** Returns the words that run the jar, with these options of Java. */
    static List<String> jar(List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(options);
        command.addAll(List.of("-jar", "target/signet-perf.jar"));
        command.addAll(arguments);
        return command;
    }

    private static Ran of(Supplier<CommandLine> command, String... arguments) throws Exception {
        PrintStream realOut = System.out;
        PrintStream realErr = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            int exitCode = command.get().execute(arguments); // takes the streams of its time
            return new Ran(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(realOut);
            System.setErr(realErr);
        }
    }
}
