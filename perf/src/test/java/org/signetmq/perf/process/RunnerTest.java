/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.process.Runner.Contender;
import org.signetmq.perf.result.Row;

final class RunnerTest {
    private final List<String> progress = new ArrayList<>();
    private final List<String> order = new ArrayList<>();
    private final Runner runner = new Runner(true, Path.of("."), progress::add);

    /** The speed of the machine drifts: each block is slower than the last one. */
    private double drift = 1;

    private interface Figures {
        Row of(double speed) throws IOException;
    }

    private Contender contender(String name, Figures figures) {
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Row block() throws IOException {
                order.add(name);
                drift *= 0.99;
                return figures.of(drift);
            }
        };
    }

    private Contender constant(String name, double rate, double cpu) {
        return contender(
                name, speed -> Row.of("rate", rate * speed).with("cpu_ms", cpu).with("extra", 7));
    }

    @Test
    void contenders_takeTurns_withTheBaselineFirstLastAndBetween() throws Exception {
        List<Contender> all =
                List.of(constant("none", 1, 1), constant("a", 1, 1), constant("b", 1, 1), constant("c", 1, 1));

        runner.turns(Row.EMPTY, all, 2);

        assertThat(order).containsExactly("none", "a", "b", "none", "c", "none", "none", "c", "b", "none", "a", "none");
    }

    @Test
    void row_isComparedWithTheBaselineBesideIt_soThatDriftDoesNotCount() throws Exception {
        List<Row> rows = runner.turns(
                Row.of("part", "p"), List.of(constant("none", 1000, 0.5), constant("sealed", 800, 0.6)), 4);

        Row sealed = rows.get(1);
        assertThat(sealed.text("part")).isEqualTo("p");
        assertThat(sealed.text("setting")).isEqualTo("sealed");
        assertThat(sealed.number("rounds")).isEqualTo(4);
        assertThat(sealed.number("share")).isCloseTo(0.8, within(0.001));
        assertThat(sealed.number("share_low")).isLessThanOrEqualTo(sealed.number("share"));
        assertThat(sealed.number("share_high")).isGreaterThanOrEqualTo(sealed.number("share"));
        assertThat(sealed.number("added_cpu_ms")).isCloseTo(0.1, within(1e-9));
        assertThat(sealed.number("spread")).isCloseTo(1, within(0.001));
        assertThat(sealed.number("rate")).isLessThan(800);
        assertThat(sealed.number("extra")).isEqualTo(7);
        assertThat(rows.get(0).has("share")).isFalse();
    }

    @Test
    void contenderThatFails_isLeftOut_andTheOthersGoOn() throws Exception {
        Contender failing = contender("bad", speed -> {
            throw new IOException("no\nluck");
        });

        List<Row> rows = runner.turns(Row.EMPTY, List.of(constant("none", 1, 1), failing, constant("a", 1, 1)), 3);

        assertThat(rows).extracting(row -> row.text("setting")).containsExactly("none", "a");
        assertThat(runner.failures()).containsExactly("bad: no luck");
        assertThat(progress).contains("signet: error: bad: no luck");
    }

    @Test
    void baselineThatFails_leavesTheOthersWithoutShares() throws Exception {
        Contender failing = contender("none", speed -> {
            throw new IOException("no luck");
        });

        List<Row> rows = runner.turns(Row.EMPTY, List.of(failing, constant("a", 1, 1)), 2);

        assertThat(rows).singleElement().satisfies(row -> {
            assertThat(row.has("share")).isFalse();
            assertThat(row.has("rate")).isTrue();
        });
    }

    @Test
    void interruption_endsAll() {
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> runner.part("a", () -> {
                    throw new InterruptedException();
                }));
        assertThat(runner.failures()).isEmpty();
    }
}
