/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.signetmq.perf.result.Beside;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Report;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;

/** All that the command says: losses under load, cold reads, and where payloads are found in clear. */
public final class FilesystemReport implements Report {
    private final LossReport losses;
    private final ColdReport cold;
    private final CoverageReport coverage;

    /** Gets the rows of a list that stands in JSON beside the results. */
    @FunctionalInterface
    public interface Lists {
        List<Result> named(String name);
    }

    /**
     * Makes the report of one run.
     *
     * @param rows of round trips
     */
    public FilesystemReport(List<Result> rows, Lists lists) {
        losses = new LossReport(rows);
        cold = new ColdReport(lists.named(ColdReads.NAME));
        coverage = new CoverageReport(lists.named(Coverage.NAME));
    }

    /** Returns the subject of the run, which differs if it measured some scenarios alone. */
    public String title() {
        Set<Scenario> scenarios = losses.scenarios();
        if (scenarios.isEmpty()) {
            return "Messages at rest";
        }
        if (scenarios.stream().allMatch(Scenario::isLimited)) {
            return "Small machines";
        }
        return scenarios.equals(Set.of(Scenario.ONE))
                ? "One broker on encrypted file systems"
                : "Encrypted file systems";
    }

    /** Prints all tables. */
    void print(PrintStream out) {
        if (!losses.rows().isEmpty()) {
            losses.print(out);
        }
        cold.print(out);
        coverage.print(out);
    }

    /** Returns the losses as they stand in JSON. */
    public List<Result> losses() {
        return losses.json();
    }

    /** Returns a row for each setting and size of cold reads. */
    public List<Result> cold() {
        return cold.json();
    }

    /** Returns a row for each setting, with the places in which payloads were found. */
    public List<Result> coverage() {
        return coverage.json();
    }

    @Override
    public List<Target> targets() {
        return Stream.of(losses.targets(), cold.targets(), coverage.targets())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public String source() {
        return losses.source();
    }

    @Override
    public List<Beside> beside() {
        return losses.beside();
    }

    @Override
    public void draw(ChartFolder folder) throws IOException {
        losses.draw(folder);
    }
}
