/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.rr.Plan.Timing;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class RunOptionsTest {
    private static final Timing USUAL = new Timing(30, 2.5, 6, Timing.USUAL_PACES);

    @Command
    private static final class Measuring {
        @Mixin
        private final RunOptions options = new RunOptions();
    }

    @Test
    void noOption_leavesTheUsualTimes() {
        assertThat(options().timing(USUAL)).isEqualTo(USUAL);
        assertThat(options().isQuick()).isFalse();
        assertThat(options().isResumed()).isFalse();
        assertThat(options().recordings()).isNull();
    }

    @Test
    void quick_isShorter_withOneOtherPace() {
        Timing quick = options("--quick").timing(USUAL);

        assertThat(quick.warmUpSeconds()).isLessThan(USUAL.warmUpSeconds());
        assertThat(quick.seconds()).isLessThan(USUAL.seconds());
        assertThat(quick.rounds()).isLessThan(USUAL.rounds());
        assertThat(quick.paces()).containsExactly(0.5);
    }

    @Test
    void quick_addsNoPaces() {
        assertThat(options("--quick").timing(new Timing(1, 1, 1, List.of())).paces())
                .isEmpty();
    }

    @Test
    void numbers_replaceThoseOfQuickAndUsualTimes() {
        List<String> numbers = List.of("--seconds", "0.5", "--rounds", "9", "--warm-up", "0");
        List<String> quick = new ArrayList<>(numbers);
        quick.add("--quick");

        for (List<String> arguments : List.of(numbers, quick)) {
            Timing timing = options(arguments.toArray(String[]::new)).timing(USUAL);

            assertThat(timing.seconds()).isEqualTo(0.5);
            assertThat(timing.rounds()).isEqualTo(9);
            assertThat(timing.warmUpSeconds()).isZero();
        }
    }

    @Test
    void runs_isTheOldNameOfRounds() {
        assertThat(options("--runs", "3").timing(USUAL).rounds()).isEqualTo(3);
    }

    @Test
    void otherOptions_areKept() {
        RunOptions options = options("--resume", "--flight-recordings", "jfr");

        assertThat(options.isResumed()).isTrue();
        assertThat(options.recordings()).isEqualTo(Path.of("jfr"));
    }

    private static RunOptions options(String... arguments) {
        Measuring measuring = new Measuring();
        new CommandLine(measuring).parseArgs(arguments);
        return measuring.options;
    }
}
