/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Bar.Verdict;
import org.signetmq.perf.result.Published;
import org.signetmq.perf.result.ResultFile;
import org.signetmq.perf.result.Row;

/** Each declaration finds its figures in the rows of the reference run. */
final class ExperimentTest {
    private static final Path REFERENCE = Path.of("../docs/measured/reference.csv");
    /** The experiments of the reference run. */
    private static final List<String> MEASURED =
            List.of("figure 1", "figure 2", "figure 3", "figure 4", "tls", "mailbox", "digest", "filesystem");

    static List<Experiment> all() {
        return Experiment.all();
    }

    static List<Experiment> measured() {
        return MEASURED.stream().map(Experiment::named).toList();
    }

    private static List<Row> reference(Experiment experiment) throws IOException {
        return ResultFile.read(REFERENCE).rows().stream()
                .filter(row -> row.matches(Map.of("experiment", experiment.name())))
                .toList();
    }

    @Test
    void experiments_haveNamesOfTheirOwn() {
        assertThat(all())
                .extracting(Experiment::name)
                .doesNotHaveDuplicates()
                .containsAll(MEASURED)
                .contains("rr", "keys", "micro");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Experiment.named("figure 5"))
                .withMessage("experiment: unknown figure 5");
    }

    @ParameterizedTest
    @MethodSource("all")
    void barsAndPublishedFigures_haveNamesOfTheirOwn_andASource(Experiment experiment) {
        assertThat(experiment.bars()).isNotEmpty().extracting(Bar::name).doesNotHaveDuplicates();
        assertThat(experiment.published()).extracting(Published::name).doesNotHaveDuplicates();
        assertThat(experiment.source().isEmpty())
                .isEqualTo(experiment.published().isEmpty());
    }

    @ParameterizedTest
    @MethodSource("measured")
    void barsAndPublishedFigures_findTheirRowsInAWholeRun(Experiment experiment) throws IOException {
        List<Row> rows = reference(experiment);

        assertThat(experiment.bars())
                .allSatisfy(bar -> assertThat(bar.verdict(rows)).as(bar.name()).isNotEqualTo(Verdict.NOT_MEASURED));
        assertThat(experiment.published()).allSatisfy(figure -> {
            Row row = figure.in(rows);
            assertThat(row.has("same manner here")).as(figure.name()).isEqualTo(figure.same() != null);
            assertThat(row.has("Signet")).as(figure.name()).isEqualTo(figure.signet() != null);
        });
    }
}
