/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.plot.PlotFolder;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a measurement leaves behind, as its options say. */
public final class ResultOutputs {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results there.")
    private @Nullable Path json;

    @Option(names = "--plot", paramLabel = "DIR", description = "Draw charts there, as SVG and PNG.")
    private @Nullable Path plot;

    /** Draws into a folder. */
    @FunctionalInterface
    public interface Drawing {
        /** Draws all charts. */
        void into(PlotFolder folder) throws IOException;
    }

    /**
     * Rejects, before anything is measured, what could not be written in the end.
     *
     * @throws ParameterException naming the option and what is wrong
     */
    public void check() {
        if (json != null) {
            check("--json " + json, new ResultFile(json)::check);
        }
        if (plot != null) {
            check("--plot " + plot, new PlotFolder(plot)::check);
        }
    }

    private interface Check {
        void run() throws IOException;
    }

    private void check(String option, Check check) {
        try {
            check.run();
        } catch (IOException e) {
            throw new ParameterException(command.commandLine(), option + ": " + e.getMessage(), e);
        }
    }

    /**
     * Writes what was asked for.
     *
     * @param results the rows of JSON
     * @param more lists of rows beside the results, each under its name
     * @param drawing the charts
     * @param parts gets what fails, and is asked for what failed before
     */
    public void write(
            List<Map<String, Object>> results,
            Map<String, List<Map<String, Object>>> more,
            Drawing drawing,
            Parts parts)
            throws InterruptedException {
        if (json != null) {
            ResultFile file = new ResultFile(json);
            Map<String, Object> frame = frame(results, more, parts);
            parts.run("--json " + json, () -> file.write(frame));
        }
        if (plot != null) {
            PlotFolder folder = new PlotFolder(plot);
            parts.run("--plot " + plot, () -> drawing.into(folder));
        }
    }

    /** {@code {"schema":1,"command":"...","machine":{...},"results":[...],...}}. */
    private Map<String, Object> frame(
            List<Map<String, Object>> results, Map<String, List<Map<String, Object>>> more, Parts parts) {
        Map<String, Object> frame = new LinkedHashMap<>();
        frame.put("schema", 1);
        frame.put("command", commandLine());
        frame.put("machine", Machine.describe());
        frame.put("results", results);
        frame.putAll(more);
        if (!parts.failures().isEmpty()) {
            frame.put("failed", PartFailure.rows(parts.failures()));
        }
        return frame;
    }

    /** As it can be given to a shell again. */
    private String commandLine() {
        CommandLine root = command.root().commandLine();
        return "./signet perf "
                + root.getParseResult().originalArgs().stream()
                        .map(ResultOutputs::quoted)
                        .collect(Collectors.joining(" "));
    }

    private static String quoted(String argument) {
        return argument.matches("[\\w@%+=:,./-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
