/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.broker.Brokers;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.pair.Pair;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.upload.Uploads.Arrival;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.KeySupply;

/** Short uploads through real processes. A block fails if a file does not arrive as it was sent. */
@Timeout(180)
final class MailboxIT {
    private static final Plan PLAN = new Situation(
                    KeyKind.RSA2048,
                    2,
                    List.of(KeySupply.AUTO),
                    List.of(new Uploads(80, Arrival.STREAM), new Uploads(80, Arrival.BURSTS)))
            .plan(new Timing(0, 1, 1, List.of()));

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1}) // off, auto
    void uploads_arrive_andHaveAllFigures(int pool) throws Exception {
        Setting setting = PLAN.settings().get(pool);
        try (Pair pair = Pair.start(setting, new Pair.Ground(folder.resolve("pair"), null, Brokers.ONE, null))) {
            for (Load load : PLAN.loads()) {
                pair.connect(load);

                Result block = pair.block(0, 300, 500);

                assertThat(List.of(Block.RATE, "p50_us", "p99_us", Block.BROKER_CPU, Block.BROKER_HEAP))
                        .allSatisfy(figure -> assertThat(block.number(figure)).isPositive());
                assertThat(block.number("unwraps_per_message"))
                        .as("a key of its own for each file")
                        .isBetween(0.5, 2.0);
                assertThat(block.number(Block.KEY_WAITS)).isBetween(pool == 0 ? 0.9 : 0.0, 1.0);
            }
        }
    }
}
