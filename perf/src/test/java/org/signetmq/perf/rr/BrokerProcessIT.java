/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.QualityOfProtection;

/** Blocks on a broker in a process of its own. */
@Timeout(120)
final class BrokerProcessIT {
    private static final Variant SIGNED = new Variant(QualityOfProtection.INTEGRITY, Reuse.NONE, KeyKind.RSA2048);

    @TempDir
    private Path temporary;

    private Path folder = Path.of("");
    private Homes homes = new Homes(folder);

    @BeforeEach
    void createHomes() throws Exception {
        folder = Files.createDirectory(temporary.resolve("broker"));
        homes = new Homes(folder);
        homes.create(List.of(Figured.LIMITED, SIGNED));
    }

    @Test
    void blocks_areMeasuredColdAndWarm_forEachVariant() throws Exception {
        try (BrokerProcess broker = new BrokerProcess(folder, List.of())) {
            BlockRun blocks = new BlockRun(broker, homes);

            for (Variant variant : List.of(Variant.UNPROTECTED, Figured.LIMITED, SIGNED)) {
                Block.Measured measured = blocks.run(new Block(variant, new Load(3, 2, 100), 100, 300));

                assertThat(measured.roundTrips()).isGreaterThan(1);
                for (Result figures : List.of(measured.cold(), measured.warm())) {
                    assertThat(figures.number(Row.RATE)).isPositive();
                    assertThat(figures.number("p99_us")).isGreaterThanOrEqualTo(figures.number("p50_us"));
                    assertThat(figures.number(Row.BROKER_CPU)).isNotNegative();
                    assertThat(figures.number(Row.CLIENT_CPU)).isPositive();
                }
            }
            assertThat(broker.cpuTime()).isPositive();
        }

        assertThat(folder).as("the broker deletes it when it ends").doesNotExist();
    }

    @Test
    void variantWithoutPolicy_failsItsBlock() throws Exception {
        Variant unknown = new Variant(QualityOfProtection.PRIVACY, Reuse.NONE, KeyKind.P256);

        try (BrokerProcess broker = new BrokerProcess(folder, List.of())) {
            BlockRun blocks = new BlockRun(broker, homes);

            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> blocks.run(new Block(unknown, Figured.LOAD, 100, 60_000)))
                    .withMessageContaining("message: should have PRIVACY");
        }
    }

    @Test
    void brokerThatCannotStart_isReported() {
        assertThatIOException()
                .isThrownBy(() -> new BrokerProcess(folder, List.of("-XX:NoSuchOption")))
                .withMessage("broker: not ready, says: null");
    }
}
