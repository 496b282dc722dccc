/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.Run;
import org.signetmq.testkit.Tier;

/** The documents do what they say: examples are run with the packaged program, and their output is compared. */
final class DocumentsIT {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern CONSOLE = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)(#[^)]*)?\\)");
    private static final String JAR = TOP.resolve("cli/target/signet.jar").toString();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin/java").toString();
    private static final String DIVIDER = "@@@@";

    @TempDir
    private static Path shared;

    @TempDir
    private Path folder;

    @TempDir
    private Path bin;

    /** A command and the lines that it should print; {@code ...} stands for any text, alone on a line for any lines. */
    private record Example(String command, String output) {
        boolean printedAs(String actual) {
            String pattern = output.strip()
                    .lines()
                    .map(line -> line.equals("...") ? "(.*\n)*?" : pattern(line) + "\n")
                    .collect(Collectors.joining());
            return output.isBlank()
                    ? actual.isBlank()
                    : actual.strip().concat("\n").matches(pattern);
        }

        private static String pattern(String line) {
            return Arrays.stream(line.split("\\.\\.\\.", -1))
                    .map(part -> Arrays.stream(part.split(" +", -1))
                            .map(Pattern::quote)
                            .collect(Collectors.joining(" +")))
                    .collect(Collectors.joining(".*"));
        }
    }

    /** With the real SoftHSM 2, at the place that the document names. */
    @Tag(Tier.LONG)
    @Test
    void examplesOfTokens_printWhatTheDocumentShows() throws Exception {
        Path library = Path.of("/usr/lib/softhsm/libsofthsm2.so");
        assumeTrue(
                Stream.of("softhsm2-util", "pkcs11-tool", "openssl").allMatch(Run::isInstalled)
                        && Files.exists(library),
                "no softhsm2-util or pkcs11-tool: install softhsm2 and opensc to run the examples of tokens");
        Path tokens = Files.createDirectory(bin.resolve("tokens"));
        Files.writeString(
                bin.resolve("softhsm2.conf"), "directories.tokendir = " + tokens + "\nobjectstore.backend = file\n");

        commandLineExamples_printWhatTheDocumentShows("docs/tokens.md", 25);
    }

    static Stream<Arguments> documents() {
        return Tier.cases(
                1,
                Arguments.of("docs/from-ams.md", 5),
                Arguments.of("docs/trust.md", 15),
                Arguments.of("docs/cli.md", 20),
                Arguments.of("docs/keys.md", 30));
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("documents")
    void commandLineExamples_printWhatTheDocumentShows(String document, int least) throws Exception {
        List<Example> examples = examples(Files.readString(TOP.resolve(document)));

        List<String> outputs = run(examples);

        assertThat(examples).hasSizeGreaterThan(least);
        SoftAssertions.assertSoftly(each -> {
            for (int i = 0; i < examples.size(); i++) {
                Example example = examples.get(i);
                each.assertThat(example.printedAs(outputs.get(i)))
                        .as("$ %s%nexpected:%n%s%nfound:%n%s", example.command(), example.output(), outputs.get(i))
                        .isTrue();
            }
        });
    }

    @Test
    void exitCodeTable_isThatOfTheProgram() throws IOException {
        String document = Files.readString(TOP.resolve("docs/cli.md"));

        List<Integer> documented = Pattern.compile("(?m)^\\| (\\d+) \\|")
                .matcher(document)
                .results()
                .map(row -> Integer.valueOf(row.group(1)))
                .toList();

        assertThat(documented)
                .containsExactly(
                        ExitCode.OK,
                        ExitCode.FAILURE,
                        ExitCode.USAGE,
                        ExitCode.CONFIGURATION,
                        ExitCode.BROKER,
                        ExitCode.DEGRADED,
                        ExitCode.BUG);
    }

    @Test
    void readme_beginsWithTheTwoCommands() throws IOException {
        String readme = Files.readString(TOP.resolve("README.md"));

        assertThat(readme.split("```", -1)[1]).isEqualTo("sh\n./signet demo\nmvn verify\n");
        assertThat(Files.readString(TOP.resolve(".ci/run"))).contains("mvn").contains(" verify");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "docs/cli.md",
                "docs/from-ams.md",
                "docs/users-and-rights.md",
                "docs/keys.md",
                "docs/tokens.md",
                "docs/trust.md"
            })
    void links_leadSomewhere(String name) throws IOException {
        Path document = TOP.resolve(name);
        Matcher links = LINK.matcher(Files.readString(document));
        List<String> broken = new ArrayList<>();

        while (links.find()) {
            String target = links.group(1);
            if (!target.contains("://") && !Files.exists(document.resolveSibling(target))) {
                broken.add(target);
            }
        }

        assertThat(broken).isEmpty();
    }

    /** A line that begins with {@code >} goes on with the command before it. */
    private static List<Example> examples(String document) {
        List<Example> examples = new ArrayList<>();
        Matcher blocks = CONSOLE.matcher(document);
        while (blocks.find()) {
            for (String example : blocks.group(1).substring(2).split("\n\\$ ", -1)) {
                int end = example.indexOf('\n');
                while (end >= 0 && example.startsWith("\n> ", end)) {
                    end = example.indexOf('\n', end + 1);
                }
                String command = end < 0 ? example : example.substring(0, end);
                String output = end < 0 ? "" : example.substring(end + 1);
                examples.add(new Example(command.replace("\n> ", "\n"), output));
            }
        }
        return examples;
    }

    /** All in one shell, so that later examples see what earlier ones did. */
    private List<String> run(List<Example> examples) throws Exception {
        StringBuilder script = new StringBuilder();
        for (Example example : examples) {
            script.append(example.command())
                    .append("\nstatus=$?; echo; echo ")
                    .append(DIVIDER)
                    .append("; (exit $status)\n");
        }
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("PATH", signet().getParent() + ":" + environment.getOrDefault("PATH", ""));
        environment.remove("SIGNET_HOME");
        environment.put("SOFTHSM2_CONF", bin.resolve("softhsm2.conf").toString());
        Process shell = builder.start();
        shell.getOutputStream().close();
        String output = new String(shell.getInputStream().readAllBytes(), UTF_8);
        assertThat(shell.waitFor(3, TimeUnit.MINUTES)).isTrue();
        return List.of(output.split("\n" + DIVIDER + "\n", -1));
    }

    /** Makes an archive of classes, as the launcher does, and returns Java's options for it. */
    private static String archived() throws Exception {
        Path archive = shared.resolve("archive");
        if (!Files.exists(archive)) {
            List<String> command = List.of(
                    JAVA,
                    "-Xbatch",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xlog:disable",
                    "-XX:ArchiveClassesAtExit=" + archive,
                    "-cp",
                    JAR,
                    "org.signetmq.cli.Rehearsal",
                    shared.toString());
            assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                    .isZero();
        }
        return "-Xlog:cds=off -Xlog:cds+dynamic=off -XX:SharedArchiveFile='" + archive + "'";
    }

    /** The jar of this build, without the launcher's look at the sources, which somebody may be editing. */
    private Path signet() throws Exception {
        Path script = Files.createDirectories(bin).resolve("signet");
        Files.writeString(
                script,
                "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC %s -jar '%s' \"$@\"\n"
                        .formatted(JAVA, archived(), JAR));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }
}
