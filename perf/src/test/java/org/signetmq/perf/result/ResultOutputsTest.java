/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

final class ResultOutputsTest {
    private static final List<Result> ROWS = List.of(Result.EMPTY.with("name", "none"));

    @Command(name = "measure")
    private static final class Measure {
        @Option(names = "--rows")
        @SuppressWarnings("UnusedVariable") // stands in the command line alone
        private String rows = "";

        @Mixin
        private final ResultOutputs outputs = new ResultOutputs();
    }

    @TempDir
    private Path folder;

    private final Parts parts = new Parts();

    @Test
    void json_hasSchemaCommandMachineAndRows() throws Exception {
        JsonNode json = written(Map.of("sizes", List.of(Result.EMPTY.with("bytes", 7))));

        assertThat(json.properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("schema", "command", "machine", "results", "sizes");
        assertThat(json.path("schema").asInt()).isEqualTo(1);
        assertThat(json.path("command").asText()).isEqualTo("./signet perf --json " + folder.resolve("results.json"));
        assertThat(json.at("/machine/processors").asInt()).isPositive();
        assertThat(json.at("/results/0/name").asText()).isEqualTo("none");
        assertThat(json.at("/sizes/0/bytes").asInt()).isEqualTo(7);
    }

    @Test
    void failures_standInJson_behindTheRows() throws Exception {
        parts.fail("heap", "no memory");

        JsonNode json = written(Map.of());

        assertThat(json.path("failed")).hasSize(1);
        assertThat(json.at("/failed/0/name").asText()).isEqualTo("heap");
        assertThat(json.at("/failed/0/reason").asText()).isEqualTo("no memory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"seal.privacy", "seal\\.privacy.*", "two words", "it's", "", "$HOME", "`id`", "a\"b", "!"})
    void command_canBeGivenToAShellAgain(String argument) throws Exception {
        Path file = folder.resolve("results.json");

        outputs("--rows", argument, "--json", file.toString()).write(ROWS, Map.of(), charts -> {}, parts);

        String command =
                new ObjectMapper().readTree(file.toFile()).path("command").asText();
        Process shell = new ProcessBuilder("sh", "-c", command.replace("./signet", "printf '%s\\n'"))
                .redirectErrorStream(true)
                .start();
        assertThat(shell.inputReader().lines()).containsExactly("perf", "--rows", argument, "--json", file.toString());
    }

    @Test
    void noOption_writesNothing() throws Exception {
        ResultOutputs outputs = outputs();

        outputs.check();
        outputs.write(ROWS, Map.of(), charts -> parts.fail("charts", "drawn"), parts);

        assertThat(parts.failures()).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void outputThatFails_isReported_andTheOtherIsWritten() throws Exception {
        Path occupied =
                Files.createDirectories(folder.resolve("results.json/full")).getParent();
        Path charts = folder.resolve("charts");
        ResultOutputs outputs = outputs("--json", String.valueOf(occupied), "--plot", charts.toString());

        outputs.write(ROWS, Map.of(), into -> Files.createDirectory(charts), parts);

        assertThat(charts).isDirectory();
        assertThat(parts.failures()).extracting(Parts.Failure::name).containsExactly("--json " + occupied);
        assertThat(parts.exitCode()).isEqualTo(1);
    }

    @Test
    void fieldsThatCannotBeBuilt_areReported_andTheChartsAreDrawn() throws Exception {
        Path file = folder.resolve("results.json");
        Path charts = folder.resolve("charts");
        Map<String, List<Result>> broken = new AbstractMap<>() {
            @Override
            public Set<Map.Entry<String, List<Result>>> entrySet() {
                throw new IllegalStateException("broken");
            }
        };

        outputs("--json", file.toString(), "--plot", charts.toString())
                .write(ROWS, broken, into -> Files.createDirectory(charts), parts);

        assertThat(charts).isDirectory();
        assertThat(parts.failures()).containsExactly(new Parts.Failure("--json " + file, "broken"));
    }

    @Test
    void chartsThatFail_areReported() throws Exception {
        Path charts = folder.resolve("charts");

        outputs("--plot", charts.toString())
                .write(
                        ROWS,
                        Map.of(),
                        into -> {
                            throw new IOException("no space");
                        },
                        parts);

        assertThat(parts.failures()).containsExactly(new Parts.Failure("--plot " + charts, "no space"));
    }

    @Test
    void outputThatCannotBeWritten_isRejectedWithItsOption() {
        Path missing = folder.resolve("no/results.json");

        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> outputs("--json", missing.toString()).check())
                .withMessage("--json " + missing + ": its folder does not exist");
    }

    private JsonNode written(Map<String, List<Result>> more) throws Exception {
        Path file = folder.resolve("results.json");
        ResultOutputs outputs = outputs("--json", file.toString());
        outputs.check();
        outputs.write(ROWS, more, charts -> {}, parts);
        return new ObjectMapper().readTree(file.toFile());
    }

    private static ResultOutputs outputs(String... arguments) {
        Measure measure = new Measure();
        new CommandLine(measure).parseArgs(arguments);
        return measure.outputs;
    }
}
