/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Shell;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

final class CommandsTest {
    private static final CommandLine SIGNET = Main.commandLine(new CommandContext(Shell.ofProcess()));

    @TempDir
    private Path folder;

    static Stream<List<String>> commands() {
        List<List<String>> commands = new ArrayList<>(List.of(List.of(), List.of("demo")));
        SIGNET.getSubcommands().forEach((group, line) -> commands.addAll(groupAndCommands(group, names(line))));
        return commands.stream();
    }

    /** The names of a group's commands, without former ones. */
    private static Set<String> names(CommandLine group) {
        return group.getSubcommands().values().stream()
                .map(CommandLine::getCommandName)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Of a command without commands nothing: it is no group. */
    private static List<List<String>> groupAndCommands(String group, Set<String> names) {
        List<List<String>> commands = new ArrayList<>();
        names.forEach(name -> commands.add(List.of(group, name)));
        if (!names.isEmpty()) {
            commands.add(List.of(group));
        }
        return commands;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommand_hasHelpWithExamples_whichCutsNoSentence(List<String> command) {
        Result result = new CliRun(folder).run(with(command, "--help"));
        CommandLine line = SIGNET;
        for (String name : command) {
            line = Objects.requireNonNull(line.getSubcommands().get(name), name);
        }
        UsageMessageSpec usage = line.getCommandSpec().usageMessage();

        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .startsWith("Usage: signet")
                .contains("Examples:")
                .contains("  " + String.join(" ", with(List.of("signet"), command.toArray(String[]::new))))
                .contains("--home")
                .contains("--quiet");
        assertThat(usage.description()).isNotEmpty().allMatch(text -> text.endsWith("."));
        assertThat(result.out().lines()).contains(usage.footer());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void unknownOption_exitsWith2AndPointsToHelp(List<String> command) {
        Result result = new CliRun(folder).run(with(command, "--nonsense"));

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .startsWith("signet: error: ")
                .contains("\nsignet: hint: ")
                .contains("--help");
    }

    @Test
    void home_optionWinsOverEnvironmentOverDefault() {
        CliRun signet = new CliRun(folder).environment("SIGNET_HOME", "fromEnvironment");

        signet.ok("identity create a --dn CN=a");
        signet.ok("identity create a --dn CN=a --home fromOption");

        assertThat(folder.resolve("fromEnvironment/identities/a.p12")).exists();
        assertThat(folder.resolve("fromOption/identities/a.p12")).exists();
        assertThat(folder.resolve("signet-home")).doesNotExist();
    }

    @Test
    void quiet_silencesTalkButNotResults() {
        Result result = new CliRun(folder).run("--quiet identity create a --dn CN=a");

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).startsWith("a: CN=a");
    }

    @Test
    void colours_onlyAtATerminalThatWantsThem() {
        CliRun signet = new CliRun(folder).terminal(prompt -> null);

        assertThat(signet.run("identity").err()).contains("\u001b[");
        assertThat(signet.run("identity --no-color").err()).doesNotContain("\u001b[");
        assertThat(signet.environment("NO_COLOR", "1").run("identity").err()).doesNotContain("\u001b[");
        assertThat(new CliRun(folder).run("identity").err()).doesNotContain("\u001b[");
    }

    @Test
    void debug_showsTheStackTrace() {
        Result plain = new CliRun(folder).run("policy show a");
        Result debug = new CliRun(folder).run("policy show a --debug");

        assertThat(plain.err()).doesNotContain("\tat ");
        assertThat(debug.err()).contains("\tat org.signetmq.cli.");
    }

    @Test
    void outputThatCannotBeWritten_isAFailure() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException("no space left");
            }
        };
        PrintStream err = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        Shell.Streams streams = new Shell.Streams(new ByteArrayInputStream(new byte[0]), full, err, null);

        int exitCode = Main.run(new Shell(streams, Map.of(), folder, Clock.systemUTC()), "--version");

        assertThat(exitCode).isEqualTo(ExitCode.FAILURE);
    }

    private static String[] with(List<String> command, String... more) {
        return Stream.concat(command.stream(), Stream.of(more)).toArray(String[]::new);
    }
}
