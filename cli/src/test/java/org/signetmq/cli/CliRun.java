/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.Shell;

/** Runs commands in this process, in a folder and environment of their own. */
public final class CliRun {
    /** What commands made in an empty folder, by the commands. */
    private static final Map<List<String>, Path> MADE = new ConcurrentHashMap<>();

    /** Alice, and Bob with an RSA key, who receives what these policies encrypt. */
    static final String[] ALICE_AND_BOB = {
        "identity create alice --dn CN=alice",
        "identity create bob --dn CN=bob --key-algorithm rsa-2048",
        "policy set none --quality none",
        "policy set integrity --quality integrity",
        "policy set privacy --quality privacy --recipient bob",
        "policy set confidentiality --quality confidentiality --recipient bob"
    };

    private final Path directory;
    private final Map<String, String> environment = new HashMap<>(Map.of("SIGNET_PASSWORD", "correct horse"));
    private byte[] input = {};
    private Clock clock = Clock.systemUTC();
    private Shell.@Nullable Terminal terminal;

    /** What a command left behind. */
    public record Result(int exitCode, byte[] bytes, String err) {
        String out() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        JsonNode json() {
            return Json.parse(out());
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

    CliRun clock(Clock other) {
        clock = other;
        return this;
    }

    /**
     * Puts into the folder what these commands make in an empty one. They run once for all tests of a process. No
     * argument has a blank.
     */
    CliRun given(String... commands) {
        Path made = MADE.computeIfAbsent(List.of(commands), CliRun::made);
        try (Stream<Path> files = Files.walk(made)) {
            for (Path file : files.skip(1).toList()) {
                Path copy = directory.resolve(made.relativize(file).toString());
                if (!Files.isDirectory(copy)) {
                    Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    private static Path made(List<String> commands) {
        try {
            Path folder = Files.createTempDirectory("given-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            CliRun cli = new CliRun(folder);
            commands.forEach(command -> cli.ok(command.split(" ", -1)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command. The first argument may be several words, with blanks between them. */
    public Result run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Shell.Streams streams = new Shell.Streams(
                new ByteArrayInputStream(input),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminal);
        String[] words = Stream.concat(
                        Stream.of(arguments).limit(1).flatMap(first -> Stream.of(first.split(" "))),
                        Stream.of(arguments).skip(1))
                .toArray(String[]::new);
        int exitCode = Main.run(new Shell(streams, Map.copyOf(environment), directory, clock), words);
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

    /** Runs a command that must succeed, and returns its results. */
    String out(String... arguments) {
        return ok(arguments).out();
    }

    /** Runs a command that must succeed, and returns its results as JSON. */
    JsonNode json(String... arguments) {
        return ok(arguments).json();
    }

    /** Runs a command that must fail without results, and returns its errors. */
    String fails(int exitCode, String... arguments) {
        Result result = run(arguments);
        assertThat(result.exitCode()).as(result.err()).isEqualTo(exitCode);
        assertThat(result.bytes()).isEmpty();
        return result.err();
    }
}
