/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;

final class RoundTripRunTest {
    private static final Scenario SCENARIO =
            new Scenario(List.of(Figured.LIMITED), List.of(new Load(1, 1, 2048), new Load(8, 1, 2048)), 2, 1, 2);

    private final List<Block> blocks = new ArrayList<>();
    private final Parts parts = new Parts();

    @Test
    void scenario_warmsUpThenMeasuresEachLoad() throws Exception {
        List<Result> results = Row.results(new RoundTripRun(SCENARIO, this::answer, line -> {}).execute(parts));

        assertThat(blocks)
                .extracting(block ->
                        block.load().clients() + " " + block.variant().quality().label())
                .containsExactly(
                        "8 none",
                        "8 confidentiality",
                        "1 none",
                        "1 confidentiality",
                        "1 none",
                        "1 none",
                        "1 confidentiality",
                        "1 none",
                        "8 none",
                        "8 confidentiality",
                        "8 none",
                        "8 none",
                        "8 confidentiality",
                        "8 none");
        assertThat(results).hasSize(4);
        assertThat(results.get(1).number("share_of_none")).isEqualTo(0.5);
        assertThat(results.get(1).number("cold.share_of_none")).isEqualTo(0.25);
    }

    @Test
    void warmUp_isRepeatedUntilEachVariantHasDoneEnough() throws Exception {
        Scenario busy = new Scenario(SCENARIO.protecting(), SCENARIO.loads(), SCENARIO.seconds(), 599, 1);

        new RoundTripRun(busy, this::answer, line -> {}).execute(parts);

        // 300 round trips when protected, 800 when not
        assertThat(blocks.subList(0, 5))
                .extracting(block -> block.variant().quality().label())
                .containsExactly("none", "confidentiality", "none", "confidentiality", "none");
        assertThat(blocks.subList(0, 4)).allMatch(block -> block.load().clients() == 8);
        assertThat(blocks.get(4).load().clients()).isEqualTo(1);
    }

    @Test
    void failedBlock_endsTheRun_andKeepsWhatWasCompleteBefore() throws Exception {
        int warmUpAndFirstLoad = 2 + 6;
        int firstRunOfSecondLoad = 3;
        RoundTripRun.Blocks blocks = block -> {
            if (this.blocks.size() == warmUpAndFirstLoad + firstRunOfSecondLoad) {
                throw new IOException(block.variant().label() + ": no reply");
            }
            return answer(block);
        };

        List<Result> results = Row.results(new RoundTripRun(SCENARIO, blocks, line -> {}).execute(parts));

        assertThat(parts.failures()).containsExactly(new Parts.Failure("8 clients", "none: no reply"));
        assertThat(parts.exitCode()).isEqualTo(1);
        assertThat(results)
                .extracting(row -> row.text("clients") + " " + row.text("quality"))
                .containsExactly("1 none", "1 confidentiality", "8 none", "8 confidentiality");
        assertThat(results.get(1).number("runs.count")).isEqualTo(2);
        assertThat(results.get(3).number("runs.count")).isEqualTo(1);
    }

    @Test
    void failedWarmUp_leavesNothingToMeasure() throws Exception {
        RoundTripRun.Blocks broken = block -> {
            throw new IOException("broken pipe");
        };

        List<Row> results = new RoundTripRun(SCENARIO, broken, line -> {}).execute(parts);

        assertThat(results).isEmpty();
        assertThat(parts.failures()).containsExactly(new Parts.Failure("warm-up", "broken pipe"));
    }

    @Test
    void warmUp_takesNoLongerThanHalfOfWhatIsMeasured() throws Exception {
        Scenario endless = new Scenario(SCENARIO.protecting(), SCENARIO.loads(), SCENARIO.seconds(), Long.MAX_VALUE, 1);
        List<String> said = new ArrayList<>();

        new RoundTripRun(endless, this::answer, said::add).execute(parts);

        // two loads of three blocks of three seconds are measured; a round of warming up is two blocks of two seconds
        assertThat(blocks).hasSize(2 * 2 + 6);
        assertThat(blocks.subList(0, 4)).allMatch(block -> block.coldMillis() == 0 && block.warmMillis() == 2_000);
        assertThat(said).anyMatch(line -> line.startsWith("warm-up ends before"));
    }

    @Test
    void noWarmUp_isLeftOut() throws Exception {
        Scenario cold = new Scenario(SCENARIO.protecting(), SCENARIO.loads(), SCENARIO.seconds(), 0, 1);

        new RoundTripRun(cold, this::answer, line -> {}).execute(parts);

        assertThat(blocks).hasSize(6);
    }

    @Test
    void progress_tellsTheRunTheLoadAndTheRate() throws Exception {
        List<String> said = new ArrayList<>();

        new RoundTripRun(SCENARIO, this::answer, said::add).execute(parts);

        assertThat(said)
                .startsWith("warming up none                            800 round trips")
                .contains("2/2  8 clients  confidentiality.32.p256           200 round trips/s")
                .hasSize(2 + 2 * 2 * 3)
                .noneMatch(line -> line.startsWith("warm-up ends before"));
    }

    @Test
    void secondRun_comparesEachVariantWithItsOwnNeighbours() throws Exception {
        Scenario two =
                new Scenario(List.of(Figured.LIMITED, Figured.UNLIMITED), List.of(new Load(1, 1, 2048)), 2, 0, 2);
        AtomicInteger block = new AtomicInteger();

        // none 100, limited 150, none 200, unlimited 300, none 400; backwards none 500, unlimited 550, none 600 ...
        int[] rates = {100, 150, 200, 300, 400, 500, 550, 600, 700, 800};
        RoundTripRun.Blocks blocks = of -> {
            int rate = rates[block.getAndIncrement()];
            return Figured.block(rate, rate);
        };
        List<Row> rows = new RoundTripRun(two, blocks, line -> {}).execute(parts);

        assertThat(rows.get(1).warm())
                .extracting(run -> run.number("share_of_none"))
                .containsExactly(1.0, 1.0);
        assertThat(rows.get(2).warm())
                .extracting(run -> run.number("share_of_none"))
                .containsExactly(1.0, 1.0);
        assertThat(rows.get(0).warm()).hasSize(6).allMatch(run -> run.number("share_of_none") == 1);
    }

    /** Half as fast when protected, and half as fast again when cold. */
    private Block.Measured answer(Block block) {
        blocks.add(block);
        return block.variant().protects() ? Figured.block(100, 200) : Figured.block(400, 400);
    }
}
