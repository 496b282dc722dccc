/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Shell;

/** Runs commands in this process, in a folder and environment of their own. */
public final class CliRun {
    private final Path directory;
    private final Map<String, String> environment = new HashMap<>(Map.of("SIGNET_PASSWORD", "correct horse"));
    private byte[] input = {};
    private Shell.@Nullable Terminal terminal;

    /** What a command left behind. */
    public record Result(int exitCode, byte[] bytes, String err) {
        String out() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    public CliRun(Path directory) {
        this.directory = directory;
    }

    CliRun environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    CliRun withoutPassword() {
        environment.remove("SIGNET_PASSWORD");
        return this;
    }

    CliRun terminal(Shell.@Nullable Terminal person) {
        terminal = person;
        return this;
    }

    CliRun input(byte[] bytes) {
        input = bytes.clone();
        return this;
    }

    public Result run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Shell.Streams streams = new Shell.Streams(
                new ByteArrayInputStream(input),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminal);
        int exitCode = Main.run(new Shell(streams, Map.copyOf(environment), directory, Clock.systemUTC()), arguments);
        return new Result(exitCode, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }

    /** Runs a command that must succeed. */
    Result ok(String... arguments) {
        Result result = run(arguments);
        if (result.exitCode() != ExitCode.OK) {
            throw new AssertionError(
                    String.join(" ", arguments) + ": exit code " + result.exitCode() + "\n" + result.err());
        }
        return result;
    }
}
