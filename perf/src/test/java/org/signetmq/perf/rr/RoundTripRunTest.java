/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundTripRunTest {
    private static final Scenario SCENARIO = new Scenario(
            List.of(Figured.LIMITED),
            List.of(new Load(1, 1, 2048), new Load(8, 1, 2048)),
            new Block.Times(1_000, 1_000),
            2);

    private final List<Block> blocks = new ArrayList<>();

    @Test
    void scenario_warmsUpThenMeasuresEachLoad() throws IOException {
        Results results = new RoundTripRun(SCENARIO, this::answer, line -> {}).execute();

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
    void failedBlock_failsTheRun() {
        RoundTripRun run = new RoundTripRun(SCENARIO, block -> BlockResult.failed("no reply"), line -> {});

        assertThatIOException().isThrownBy(run::execute).withMessage("none: no reply");
    }

    /** Half as fast when protected, and half as fast again when cold. */
    private BlockResult answer(Block block) {
        blocks.add(block);
        return block.variant().protects()
                ? new BlockResult(phase(100), phase(200), null)
                : new BlockResult(phase(400), phase(400), null);
    }

    private static Phase phase(long roundTrips) {
        return new Phase(roundTrips, 1_000_000_000L, new Phase.Latency(1, 2), new Phase.Cpu(10, 20));
    }
}
