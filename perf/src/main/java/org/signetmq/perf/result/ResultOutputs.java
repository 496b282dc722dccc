/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say where a measurement leaves its results. */
public final class ResultOutputs {
    /** The option of commands that can go on with what an earlier run has measured. */
    public static final String RESUME = "--resume";

    private static final String COMMAND = "command";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results there.")
    private @Nullable Path json;

    @Option(names = "--plot", paramLabel = "DIR", description = "Draw charts there, as SVG and PNG.")
    private @Nullable Path plot;

    /** Draws all charts into a folder. */
    @FunctionalInterface
    public interface Drawing {
        void into(ChartFolder folder) throws IOException;
    }

    /**
     * Rejects outputs that cannot be written, before anything is measured.
     *
     * @throws ParameterException naming the option and the fault
     */
    public void check() {
        String option = "--json " + json;
        try {
            if (json != null) {
                new ResultFile(json).check();
            }
            option = "--plot " + plot;
            if (plot != null) {
                new ChartFolder(plot).check();
            }
        } catch (IOException e) {
            throw new ParameterException(command.commandLine(), option + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns what an earlier run of the same command left in the file of {@code --json}; empty if there is no file.
     *
     * @throws ParameterException if the file cannot be read, or another command wrote it
     */
    public Optional<JsonNode> earlier() {
        if (json == null) {
            throw new ParameterException(command.commandLine(), RESUME + ": needs --json FILE, the file to go on with");
        }
        if (!Files.exists(json)) {
            return Optional.empty();
        }
        try {
            if (new ResultFile(json).isWrittenDirectly()) {
                throw new IOException("must be an ordinary file");
            }
            JsonNode file = new ObjectMapper().readTree(json.toFile());
            if (!commandLine().equals(file.path(COMMAND).asText())) {
                throw new IOException(
                        "another command wrote it: " + file.path(COMMAND).asText("none"));
            }
            return Optional.of(file);
        } catch (IOException e) {
            throw new ParameterException(
                    command.commandLine(), RESUME + ": --json " + json + ": " + Parts.reason(e), e);
        }
    }

    /**
     * Saves what is measured so far, so that a run can end at any time. Devices and pipes get nothing before the end.
     *
     * @throws UncheckedIOException if the file cannot be written
     */
    public void save(List<Result> results, Map<String, List<Result>> more) {
        if (json == null || new ResultFile(json).isWrittenDirectly()) {
            return;
        }
        try {
            Map<String, Object> fields = fields(results, more, List.of());
            fields.put("complete", false);
            new ResultFile(json).write(fields);
        } catch (IOException e) {
            throw new UncheckedIOException("--json " + json + ": " + Parts.reason(e), e);
        }
    }

    /**
     * Writes the outputs that the options name.
     *
     * @param results the rows of JSON
     * @param more lists of rows beside the results, each under its name
     * @param drawing the charts
     * @param parts the failures so far; gets those of writing
     */
    public void write(List<Result> results, Map<String, List<Result>> more, Drawing drawing, Parts parts)
            throws InterruptedException {
        if (json != null) {
            ResultFile file = new ResultFile(json);
            parts.run("--json " + json, () -> file.write(fields(results, more, parts.failures())));
        }
        if (plot != null) {
            ChartFolder folder = new ChartFolder(plot);
            parts.run("--plot " + plot, () -> drawing.into(folder));
        }
    }

    private Map<String, Object> fields(
            List<Result> results, Map<String, List<Result>> more, List<Parts.Failure> failures) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("schema", 1);
        fields.put(COMMAND, commandLine());
        fields.put("machine", Machine.describe());
        fields.put("results", results);
        fields.putAll(more);
        if (!failures.isEmpty()) {
            fields.put("failed", failures);
        }
        return fields;
    }

    /** Returns the command line as it can be given to a shell again. */
    private String commandLine() {
        return command.root().commandLine().getParseResult().originalArgs().stream()
                .filter(argument -> !argument.equals(RESUME))
                .map(argument ->
                        argument.matches("[\\w@%+=:,./-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" ", "./signet perf ", ""));
    }
}
