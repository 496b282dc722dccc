/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Ran;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Load.Limits;
import org.signetmq.perf.setting.Load.Producers;
import org.signetmq.perf.setting.Load.Style;
import org.signetmq.testkit.Tier;

/**
 * Short runs with real processes. They check shapes of any machine, also of a busy one: counts of keys, bytes, and
 * processor time that differs by far.
 */
@Tag(Tier.LONG)
final class FigureIT {
    private static final double KEYS_OF_32 = 1.0 / 32;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    /** Eight producers take turns at each receiver. */
    @Test
    void figure1_receiversOfOneKeyUnwrapAlmostEveryMessage_andSignetDoesNot() throws Exception {
        ShortStudy study = new ShortStudy(
                ClientsStudy.SINGLE_QUEUE,
                "",
                List.of(Rows.CONFIDENTIALITY, Rows.AMS_CONFIDENTIALITY),
                Load.of(8, 1, 2048));

        Predicate<List<Result>> hasShape =
                rows -> isAbout(unwraps(rows, 1), KEYS_OF_32, 4) && isAbout(unwraps(rows, 2), 1, 1.5);
        List<Result> rows = runUntil(hasShape, "figure", new FigureCommand(Map.of(1, study)), "figure", "1");

        assertSettings(rows, "none", Rows.CONFIDENTIALITY, Rows.AMS_CONFIDENTIALITY);
        assertThat(unwraps(rows, 0)).isZero();
        assertThat(hasShape.test(rows)).as("unwraps of %s", rows).isTrue();
        assertThat(rows).extracting(row -> row.has(Rows.PUBLISHED)).containsExactly(false, true, true);
        assertThat(folder.resolve("charts/figure-1.svg")).isNotEmptyFile();
    }

    /** A producer without a destination of its own uses its keys again all the same. */
    @Test
    void figure2_anonymousProducersOfSignetReuseKeys() throws Exception {
        Load anonymous = new Load(8, 1, 2048, new Style(Producers.ANONYMOUS, -1, Integer.MAX_VALUE));
        ShortStudy study = new ShortStudy(
                ClientsStudy.MANY_QUEUES, ClientsStudy.ANONYMOUS, List.of(Rows.CONFIDENTIALITY), anonymous);

        Predicate<List<Result>> reusesKeys = rows -> isAbout(unwraps(rows, 1), KEYS_OF_32, 4);
        List<Result> rows = runUntil(reusesKeys, "figure", new FigureCommand(Map.of(2, study)), "figure", "2");

        assertSettings(rows, "none", Rows.CONFIDENTIALITY);
        assertThat(reusesKeys.test(rows)).as("unwraps of %s", rows).isTrue();
    }

    @Test
    void figure3_reuseOf32CostsAboutAsMuchAsUnlimitedReuse() throws Exception {
        ShortStudy study = new ShortStudy(
                new ReuseStudy(),
                "signet",
                List.of("confidentiality.unlimited.p256", Rows.CONFIDENTIALITY),
                Load.of(4, 4, 2048));

        Predicate<List<Result>> hasShape = rows -> cpu(rows.get(2)) < 2 * cpu(rows.get(1))
                && unwraps(rows, 1) < KEYS_OF_32 / 4
                && isAbout(unwraps(rows, 2), KEYS_OF_32, 4);
        List<Result> rows = runUntil(hasShape, "figure", new FigureCommand(Map.of(3, study)), "figure", "3");

        assertSettings(rows, "none", "confidentiality.unlimited.p256", Rows.CONFIDENTIALITY);
        assertThat(hasShape.test(rows))
                .as("processor time and unwraps of %s", rows)
                .isTrue();
        assertThat(rows.get(2).number("share_of_unlimited")).isPositive().isFinite();
    }

    /** An address that holds a single message in memory: the others of its queue go to pages. */
    @Test
    void figure4_sealedMessagesGoThroughPages() throws Exception {
        Load paged = new Load(8, 1, 2048, Style.limited(new Limits(-1, Integer.MAX_VALUE, 2048)));
        ShortStudy study = new ShortStudy(new SizeStudy(), SizeStudy.MEMORY, List.of(Rows.CONFIDENTIALITY), paged);

        Predicate<List<Result>> reusesKeys = rows -> isAbout(unwraps(rows, 1), KEYS_OF_32, 4);
        List<Result> rows = runUntil(reusesKeys, "figure", new FigureCommand(Map.of(4, study)), "figure", "4");

        assertSettings(rows, "none", Rows.CONFIDENTIALITY);
        assertThat(reusesKeys.test(rows)).as("unwraps of %s", rows).isTrue();
        assertThat(rows).extracting(row -> row.number("memory")).containsExactly(2048.0, 2048.0);
    }

    @Test
    void tls_costsBytesAndProcessorTime() throws Exception {
        ShortStudy study = new ShortStudy(new TlsStudy(), "dedicated queues", List.of("none+tls"), Load.of(4, 4, 2048));

        Predicate<List<Result>> isDearer =
                rows -> rows.get(1).number(Rows.CLIENT_CPU) > rows.get(0).number(Rows.CLIENT_CPU);
        List<Result> rows = runUntil(isDearer, "tls", new TlsCommand(study), "tls");

        assertSettings(rows, "none", "none+tls");
        assertThat(isDearer.test(rows))
                .as("processor time of clients of %s", rows)
                .isTrue();
        assertThat(rows.get(1).number(Rows.PUBLISHED)).isBetween(0.0, 1.0);
        assertThat(folder.resolve("charts/tls.svg")).isNotEmptyFile();
    }

    /**
     * Runs until the rows have a shape, or three times, each longer than the last. On a busy machine a short block has
     * few messages, and Java compiles for most of the time.
     */
    private List<Result> runUntil(
            Predicate<List<Result>> hasShape, String name, Callable<Integer> command, String... words)
            throws Exception {
        List<Result> rows = run(0.5, name, command, words);
        for (double seconds = 2; seconds <= 4 && !hasShape.test(rows); seconds += 2) {
            rows = run(seconds, name, command, words);
        }
        return rows;
    }

    /** Runs blocks that take so long, after pairs have warmed up for at most three times as long. */
    private List<Result> run(double seconds, String name, Callable<Integer> command, String... words) throws Exception {
        Path json = folder.resolve("results.json");
        List<String> arguments = new ArrayList<>(List.of(words));
        arguments.addAll(List.of("--quick", "--rounds", "1", "--seconds", String.valueOf(seconds)));
        arguments.addAll(List.of("--warm-up", String.valueOf(3 * seconds)));
        arguments.addAll(List.of("--json", json.toString()));
        arguments.addAll(List.of("--plot", folder.resolve("charts").toString()));
        Ran ran = Ran.with(name, command, arguments.toArray(String[]::new));
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        JsonNode file = new ObjectMapper().readTree(json.toFile());
        assertThat(file.has("complete")).isFalse();
        return Result.list(file.path("results"));
    }

    private static void assertSettings(List<Result> rows, String... settings) {
        assertThat(rows).extracting(row -> row.text(Rows.SETTING)).containsExactly(settings);
        assertThat(rows).allSatisfy(row -> {
            for (String figure : List.of("round_trips_per_s", "p50_us", "p99_us", "wire_bytes_per_message")) {
                assertThat(row.number(figure)).as(figure).isPositive().isFinite();
            }
            assertThat(cpu(row)).isPositive().isFinite();
        });
    }

    private static double cpu(Result row) {
        return row.number("cpu_ms_per_round_trip.broker") + row.number("cpu_ms_per_round_trip.client");
    }

    private static double unwraps(List<Result> rows, int row) {
        return rows.get(row).number("unwraps_per_message");
    }

    private static boolean isAbout(double figure, double expected, double factor) {
        return figure > expected / factor && figure < expected * factor;
    }
}
