/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.PartFailure;
import org.signetmq.perf.Parts;

final class RoundTripRunTest {
    private static final Scenario SCENARIO = new Scenario(
            List.of(Figured.LIMITED),
            List.of(new Load(1, 1, 2048), new Load(8, 1, 2048)),
            new Block.Times(1_000, 1_000),
            new Scenario.Repetition(1, 2));

    private final List<Block> blocks = new ArrayList<>();
    private final Parts parts = new Parts();

    @Test
    void scenario_warmsUpThenMeasuresEachLoad() throws Exception {
        Results results = new RoundTripRun(SCENARIO, this::answer, line -> {}).execute(parts);

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
        assertThat(results.rows()).hasSize(4);
        assertThat(results.rows().get(1).median(Sample::shareOfNone)).isEqualTo(0.5);
        assertThat(results.rows().get(1).coldSpread(Sample::shareOfNone).median())
                .isEqualTo(0.25);
    }

    @Test
    void warmUp_isRepeatedUntilEachVariantHasDoneEnough() throws Exception {
        Scenario busy = new Scenario(
                SCENARIO.protecting(), SCENARIO.loads(), SCENARIO.times(), new Scenario.Repetition(801, 1));

        new RoundTripRun(busy, this::answer, line -> {}).execute(parts);

        // 300 round trips when protected, 800 when not
        assertThat(blocks.subList(0, 7))
                .extracting(block -> block.variant().quality().label())
                .containsExactly(
                        "none", "confidentiality", "none", "confidentiality", "none", "confidentiality", "none");
        assertThat(blocks.subList(0, 6)).allMatch(block -> block.load().clients() == 8);
        assertThat(blocks.get(6).load().clients()).isEqualTo(1);
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

        Results results = new RoundTripRun(SCENARIO, blocks, line -> {}).execute(parts);

        assertThat(parts.failures()).containsExactly(new PartFailure("8 clients", "none: no reply"));
        assertThat(parts.exitCode()).isEqualTo(1);
        assertThat(results.rows())
                .extracting(row -> row.load().clients() + " " + row.variant().label())
                .containsExactly("1 none", "1 confidentiality.32.p256", "8 none", "8 confidentiality.32.p256");
        assertThat(results.rows().get(1).warm()).hasSize(2);
        assertThat(results.rows().get(3).warm()).hasSize(1);
    }

    @Test
    void failedWarmUp_leavesNothingToMeasure() throws Exception {
        RoundTripRun.Blocks broken = block -> {
            throw new IOException("broken pipe");
        };

        Results results = new RoundTripRun(SCENARIO, broken, line -> {}).execute(parts);

        assertThat(results.rows()).isEmpty();
        assertThat(parts.failures()).containsExactly(new PartFailure("warm-up", "broken pipe"));
    }

    @Test
    void warmUp_takesNoLongerThanHalfOfWhatIsMeasured() throws Exception {
        Scenario endless = new Scenario(
                SCENARIO.protecting(), SCENARIO.loads(), SCENARIO.times(), new Scenario.Repetition(Long.MAX_VALUE, 1));
        List<String> said = new ArrayList<>();

        new RoundTripRun(endless, this::answer, said::add).execute(parts);

        // two loads of three blocks of two seconds are measured; a round of warming up is two blocks of one second
        assertThat(blocks).hasSize(3 * 2 + 6);
        assertThat(blocks.subList(0, 6))
                .allMatch(block -> block.times().equals(SCENARIO.times().withoutCold()));
        assertThat(said).anyMatch(line -> line.startsWith("warm-up ends before"));
    }

    @Test
    void noWarmUp_isLeftOut() throws Exception {
        Scenario cold =
                new Scenario(SCENARIO.protecting(), SCENARIO.loads(), SCENARIO.times(), new Scenario.Repetition(0, 1));

        new RoundTripRun(cold, this::answer, line -> {}).execute(parts);

        assertThat(blocks).hasSize(6);
    }

    /** Half as fast when protected, and half as fast again when cold. */
    private BlockResult answer(Block block) {
        blocks.add(block);
        return block.variant().protects()
                ? new BlockResult(phase(100), phase(200))
                : new BlockResult(phase(400), phase(400));
    }

    private static Phase phase(long roundTrips) {
        return new Phase(roundTrips, 1_000_000_000L, new Phase.Latency(1, 2), new Phase.Cpu(10, 20));
    }
}
