/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;

final class MeasurementTest {
    private static final Load FEW = Load.of(1, 1, 2048);
    private static final Load MANY = Load.of(8, 1, 2048);
    private static final Timing TIMING = new Timing(4, 1, 2, List.of());

    private final Pairs pairs = new Pairs();
    private final Store store = new Store(pairs);
    private final Parts parts = new Parts();

    /** Pairs that do nothing; each block of the baseline is faster than the one before. */
    private static final class Pairs implements Measurement.Pairs {
        final List<String> calls = new ArrayList<>();
        final Map<Setting, Load> connected = new HashMap<>();
        /** The calls that fail. */
        final Set<String> failing = new HashSet<>();

        /** Milliseconds a second; each block takes some of it. */
        double compiling;

        /** The seconds that a connection takes. */
        double connecting;

        /** The seconds that a block takes beside those that count. */
        double idle;

        double elapsed;

        private double baselineRate = 1000;

        @Override
        public void connect(Setting setting, Load load) throws IOException {
            note("connect " + setting.label() + " " + load.clients());
            elapsed += connecting;
            connected.put(setting, load);
        }

        @Override
        public Result block(Setting setting, Measurement.Stretch stretch) throws IOException {
            double rate = stretch.rate();
            Load load = Objects.requireNonNull(connected.get(setting), "not connected");
            note("block " + setting.label() + " " + load.clients() + " " + Math.round(rate) + "/s " + stretch.seconds()
                    + " s");
            elapsed += stretch.seconds() + idle;
            if (rate > 0) {
                return Figured.figures(rate);
            }
            compiling = Math.max(0, compiling - 100);
            if (setting.equals(Setting.NONE)) {
                baselineRate += 100;
            }
            return Figured.figures(setting.equals(Setting.NONE) ? baselineRate : 500)
                    .with(Block.BROKER_JIT, compiling / 2)
                    .with(Block.CLIENT_JIT, compiling / 2);
        }

        private void note(String call) throws IOException {
            calls.add(call);
            if (failing.contains(call)) {
                throw new IOException("out of luck");
            }
        }
    }

    private static final class Store implements Measurement.Store {
        final List<String> said = new ArrayList<>();

        private final Pairs pairs;
        private final Blocks blocks = new Blocks();

        Store(Pairs pairs) {
            this.pairs = pairs;
        }

        @Override
        public Blocks blocks() {
            return blocks;
        }

        @Override
        public double elapsed() {
            return pairs.elapsed;
        }

        @Override
        public void step(String progress) {
            said.add(progress);
        }
    }

    @Test
    void pairs_changeTheirLoad_warmUpUnderTheLargestOne_andMeasureEachLoad() throws Exception {
        run(plan(TIMING, List.of(FEW, MANY), Setting.NONE, Setting.PLAIN));

        assertThat(pairs.calls)
                .containsExactly(
                        "connect none 1",
                        "block none 1 0/s 0.6 s",
                        "connect none 8",
                        "block none 8 0/s 0.6 s",
                        "connect none 1",
                        "block none 1 0/s 0.6 s",
                        "connect none 8",
                        "block none 8 0/s 2.0 s",
                        "block none 8 0/s 2.0 s",
                        "connect plain 1",
                        "block plain 1 0/s 0.6 s",
                        "connect plain 8",
                        "block plain 8 0/s 0.6 s",
                        "connect plain 1",
                        "block plain 1 0/s 0.6 s",
                        "connect plain 8",
                        "block plain 8 0/s 2.0 s",
                        "block plain 8 0/s 2.0 s",
                        "connect none 1",
                        "block none 1 0/s 0.8 s",
                        "connect plain 1",
                        "block plain 1 0/s 0.8 s",
                        "block none 1 0/s 1.0 s",
                        "block plain 1 0/s 1.0 s",
                        "block none 1 0/s 1.0 s",
                        "block none 1 0/s 1.0 s",
                        "block plain 1 0/s 1.0 s",
                        "block none 1 0/s 1.0 s",
                        "connect none 8",
                        "block none 8 0/s 0.8 s",
                        "connect plain 8",
                        "block plain 8 0/s 0.8 s",
                        "block none 8 0/s 1.0 s",
                        "block plain 8 0/s 1.0 s",
                        "block none 8 0/s 1.0 s",
                        "block none 8 0/s 1.0 s",
                        "block plain 8 0/s 1.0 s",
                        "block none 8 0/s 1.0 s");
        assertThat(store.blocks().list()).hasSize(12);
        assertThat(parts.failures()).isEmpty();
    }

    @Test
    void warmUp_lastsUntilTheCompilersAreIdleTwice() throws Exception {
        pairs.compiling = 335;

        run(plan(new Timing(60, 1, 1, List.of()), List.of(FEW), Setting.NONE));

        assertThat(pairs.calls)
                .containsExactly(
                        "connect none 1",
                        "block none 1 0/s 2.0 s",
                        "block none 1 0/s 2.0 s",
                        "block none 1 0/s 2.0 s",
                        "block none 1 0/s 2.0 s",
                        "connect none 1",
                        "block none 1 0/s 1.0 s",
                        "block none 1 0/s 1.0 s");
        assertThat(store.said.get(1))
                .isEqualTo("warming up  none                               1200 round trips/s, compilers at work 14 %");
    }

    /** Another number of clients makes Java drop compiled code, and compile it again. */
    @Test
    void eachLoad_beginsWhenTheCompilersAreIdle_orAFifthOfTheWarmUpIsOver() throws Exception {
        run(plan(new Timing(10, 1, 1, List.of()), List.of(FEW, MANY), Setting.NONE));
        assertThat(pairs.calls).endsWith("connect none 8", "block none 8 0/s 1.0 s", "block none 8 0/s 1.0 s");

        pairs.calls.clear();
        pairs.compiling = 5000;
        run(plan(new Timing(10, 1, 1, List.of()), List.of(Load.of(4, 1, 2048)), Setting.NONE));
        assertThat(pairs.calls)
                .endsWith(
                        "connect none 4", "block none 4 0/s 1.0 s", "block none 4 0/s 1.0 s", "block none 4 0/s 1.0 s");
    }

    @Test
    void warmUp_endsWithItsTime_alsoIfTheCompilersAreBusy() throws Exception {
        pairs.compiling = 5000;

        run(plan(new Timing(3, 1, 2, List.of()), List.of(FEW), Setting.NONE));

        assertThat(pairs.calls)
                .startsWith("connect none 1", "block none 1 0/s 2.0 s", "block none 1 0/s 1.0 s", "connect none 1");
    }

    /** A plan says how long a pair takes, also on a machine on which it starts late and each step takes longer. */
    @Test
    void slowPair_warmsUpForLess_soThatItsTimeIsAsPlanned() throws Exception {
        pairs.compiling = 50_000;
        pairs.connecting = 6;
        pairs.idle = 0.5;
        Plan plan = plan(new Timing(30, 1, 1, List.of()), List.of(FEW, MANY), Setting.NONE);

        run(plan);

        // 4 connections and 3 rehearsals of 1.1 s leave 12.2 of 39.5 s
        assertThat(plan.pairSeconds()).isEqualTo(39.5);
        assertThat(pairs.calls.subList(7, 14))
                .containsExactly(
                        "block none 8 0/s 2.0 s",
                        "block none 8 0/s 2.0 s",
                        "block none 8 0/s 2.0 s",
                        "block none 8 0/s 2.0 s",
                        "block none 8 0/s 2.0 s",
                        "connect none 1",
                        "block none 1 0/s 1.0 s");
    }

    @Test
    void noWarmUp_isLeftOut() throws Exception {
        run(plan(new Timing(0, 1, 1, List.of()), List.of(FEW), Setting.NONE));

        assertThat(pairs.calls).containsExactly("connect none 1", "block none 1 0/s 1.0 s");
    }

    @Test
    void oddRounds_goBackwards() throws Exception {
        run(plan(TIMING, List.of(FEW), Setting.NONE, Setting.PLAIN, Figured.LIMITED));

        assertThat(store.blocks().list())
                .extracting(block -> block.text("round") + block.text("position") + " " + block.text("setting"))
                .containsExactly(
                        "00 none",
                        "01 plain",
                        "02 confidentiality.32.p256",
                        "03 none",
                        "10 none",
                        "11 confidentiality.32.p256",
                        "12 plain",
                        "13 none");
    }

    @Test
    void otherPaces_areSharesOfTheBaselinesMeanRateInTheirRound() throws Exception {
        run(plan(new Timing(0, 2, 2, List.of(0.5, 0.8)), List.of(FEW), Setting.NONE, Setting.PLAIN));

        // the baseline's blocks have 1100 and 1200 round trips per second
        assertThat(pairs.calls)
                .containsExactly(
                        "connect none 1",
                        "connect plain 1",
                        "block none 1 0/s 2.0 s",
                        "block plain 1 0/s 2.0 s",
                        "block none 1 0/s 2.0 s",
                        "block none 1 575/s 3.4 s",
                        "block plain 1 575/s 3.4 s",
                        "block none 1 920/s 3.4 s",
                        "block plain 1 920/s 3.4 s",
                        "block none 1 0/s 2.0 s",
                        "block plain 1 0/s 2.0 s",
                        "block none 1 0/s 2.0 s");
        assertThat(store.blocks().list().get(4).number("pace")).isEqualTo(0.5, within(0.0));
        assertThat(store.said.get(4))
                .isEqualTo(
                        "1/2  1 clients  plain                               575 round trips/s of 575 wanted, p99 3478 us");
    }

    @Test
    void progress_tellsTheRoundTheLoadAndTheRate() throws Exception {
        run(plan(TIMING, List.of(MANY), Setting.NONE, Figured.LIMITED));

        assertThat(store.said)
                .hasSize(2 * 3 + 2 * 3)
                .startsWith("warming up  none                               1100 round trips/s, compilers at work 0 %")
                .contains("2/2  8 clients  confidentiality.32.p256             500 round trips/s");
    }

    @Test
    void settingThatFails_isLeftOut_andTheOthersGoOn() throws Exception {
        pairs.failing.add("block plain 1 0/s 1.0 s");

        run(plan(TIMING, List.of(FEW, MANY), Setting.NONE, Setting.PLAIN, Figured.LIMITED));

        assertThat(parts.failures()).containsExactly(new Parts.Failure("plain", "out of luck"));
        assertThat(parts.exitCode()).isEqualTo(1);
        assertThat(pairs.calls.stream().filter("block plain 1 0/s 1.0 s"::equals))
                .as("tried once")
                .hasSize(1);
        assertThat(pairs.calls).doesNotContain("block plain 8 0/s 1.0 s");
        assertThat(settings()).doesNotContain("plain").contains("none", "confidentiality.32.p256");
        assertThat(store.blocks().list()).hasSize(2 * 2 * 3);
    }

    @Test
    void settingThatCannotConnect_isLeftOut() throws Exception {
        pairs.failing.add("connect plain 1");

        run(plan(TIMING, List.of(FEW), Setting.NONE, Setting.PLAIN, Figured.LIMITED));

        assertThat(parts.failures()).extracting(Parts.Failure::name).containsExactly("plain");
        assertThat(settings()).doesNotContain("plain").contains("none", "confidentiality.32.p256");
    }

    @Test
    void baselineThatFails_endsAll() throws Exception {
        pairs.failing.add("block none 1 0/s 1.0 s");

        run(plan(TIMING, List.of(FEW, MANY), Setting.NONE, Setting.PLAIN));

        assertThat(parts.failures()).containsExactly(new Parts.Failure("none", "out of luck"));
        assertThat(pairs.calls).endsWith("connect plain 1", "block plain 1 0/s 0.8 s", "block none 1 0/s 1.0 s");
        assertThat(store.blocks().list()).isEmpty();
    }

    @Test
    void baselineThatCannotWarmUp_endsAll() throws Exception {
        pairs.failing.add("connect none 1");

        run(plan(TIMING, List.of(FEW), Setting.NONE, Setting.PLAIN));

        assertThat(pairs.calls).containsExactly("connect none 1");
    }

    @Test
    void blocksOfAnEarlierRun_areNotMeasuredAgain() throws Exception {
        Plan plan = plan(new Timing(4, 1, 1, List.of(0.5)), List.of(FEW), Setting.NONE, Setting.PLAIN);
        store.blocks().add(Figured.name(Setting.NONE, FEW, 0, 0), Figured.figures(2000));
        store.blocks().add(Figured.name(Setting.PLAIN, FEW, 0, 1), Figured.figures(2000));

        run(plan);

        assertThat(pairs.calls.stream().filter(call -> call.contains("1.0 s")))
                .containsExactly("block none 1 0/s 1.0 s");
        // 1400: the first block after warming up
        assertThat(pairs.calls).endsWith("block none 1 850/s 1.7 s", "block plain 1 850/s 1.7 s");
    }

    @Test
    void loadThatIsComplete_isNotEvenConnected() throws Exception {
        Plan plan = plan(TIMING, List.of(FEW, MANY), Setting.NONE, Setting.PLAIN);
        run(plan);
        pairs.calls.clear();

        run(plan);
        assertThat(pairs.calls).isEmpty();

        run(plan(TIMING, List.of(MANY, Load.of(2, 1, 2048)), Setting.NONE, Setting.PLAIN));
        assertThat(pairs.calls).contains("block plain 2 0/s 1.0 s").doesNotContain("block plain 8 0/s 1.0 s");
    }

    @Test
    void blocksOfAnotherPart_areNoneOfThisOne() throws Exception {
        Plan plan = plan(TIMING, List.of(FEW), Setting.NONE);
        run(plan);
        pairs.calls.clear();

        run(new Plan("other", plan.settings(), plan.loads(), plan.timing()));

        assertThat(pairs.calls).contains("block none 1 0/s 1.0 s");
        assertThat(store.blocks().list()).hasSize(4);
    }

    @Test
    void interruption_endsAll() {
        Measurement.Pairs interrupted = new Measurement.Pairs() {
            @Override
            public void connect(Setting setting, Load load) throws InterruptedException {
                throw new InterruptedException("ended by a signal");
            }

            @Override
            public Result block(Setting setting, Measurement.Stretch stretch) {
                throw new AssertionError("not to be called");
            }
        };

        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() ->
                        new Measurement(plan(TIMING, List.of(FEW), Setting.NONE), interrupted, store, parts).run());
        assertThat(parts.failures()).isEmpty();
    }

    private void run(Plan plan) throws InterruptedException {
        new Measurement(plan, pairs, store, parts).run();
    }

    private List<String> settings() {
        return store.blocks().list().stream()
                .map(block -> block.text("setting"))
                .distinct()
                .toList();
    }

    private static Plan plan(Timing timing, List<Load> loads, Setting... settings) {
        return new Plan("", List.of(settings), loads, timing);
    }
}
