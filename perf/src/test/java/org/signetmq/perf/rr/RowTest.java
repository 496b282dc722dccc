/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.signetmq.perf.rr.Figured.LIMITED;
import static org.signetmq.perf.rr.Figured.LOAD;
import static org.signetmq.perf.rr.Figured.SIGNED;
import static org.signetmq.perf.rr.Figured.UNLIMITED;
import static org.signetmq.perf.rr.Figured.rates;
import static org.signetmq.perf.rr.Figured.row;
import static org.signetmq.perf.rr.Figured.rows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.primitive.PrimitiveCost;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.Blocks.Name;
import org.signetmq.perf.rr.Blocks.Place;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;

final class RowTest {
    private static final double CLOSE = 1e-9;
    private static final Plan ONE = Figured.plan(Setting.NONE, LIMITED);
    private static final Plan TWO = Figured.plan(Setting.NONE, LIMITED, UNLIMITED);

    @Test
    void share_isRelativeToTheBlocksOfTheBaselineBeforeAndAfter() {
        Result row = row(rows(ONE, rates(800, 900, 1000)), LIMITED);

        assertThat(row.number("share_of_none")).isEqualTo(1.0, within(CLOSE));
    }

    @Test
    void nearerBlockOfTheBaseline_weighsMore() {
        // at a third and at two thirds between 900 and 1200
        List<Result> rows = rows(TWO, rates(900, 500, 550, 1200));

        assertThat(row(rows, LIMITED).number("share_of_none")).isEqualTo(0.5, within(CLOSE));
        assertThat(row(rows, UNLIMITED).number("share_of_none")).isEqualTo(0.5, within(CLOSE));
    }

    @Test
    void speedThatDrifts_leavesTheShares() {
        // the machine gains 100 round trips per second from block to block
        List<Result> rows = rows(TWO, rates(1000, 550, 600, 1300), rates(1400, 750, 800, 1700));

        assertThat(row(rows, LIMITED).number("share_of_none")).isEqualTo(0.5, within(CLOSE));
        assertThat(row(rows, LIMITED).number("runs.share_of_none.min")).isEqualTo(0.5, within(CLOSE));
        assertThat(row(rows, UNLIMITED).number("runs.share_of_none.max")).isEqualTo(0.5, within(CLOSE));
    }

    @Test
    void baselineOfAnotherRound_isNotComparedWith() {
        List<Result> rows = rows(ONE, rates(100, 50, 100), rates(1000, 900, 1000));

        assertThat(row(rows, LIMITED).number("runs.share_of_none.min")).isEqualTo(0.5, within(CLOSE));
        assertThat(row(rows, LIMITED).number("runs.share_of_none.max")).isEqualTo(0.9, within(CLOSE));
    }

    @Test
    void roundThatEndedEarly_givesARateAndNoShare() {
        Result row = row(rows(ONE, rates(1000, 900)), LIMITED);

        assertThat(row.number("round_trips_per_s")).isEqualTo(900);
        assertThat(row.has("share_of_none")).isFalse();
        assertThat(row.has("added_cpu_ms")).isFalse();
    }

    @Test
    void settingWithoutBlocks_hasNoRow() {
        List<Result> rows = rows(ONE, rates(1000));

        assertThat(rows).extracting(row -> row.text("setting")).containsExactly("none");
        assertThat(rows(ONE)).isEmpty();
    }

    @Test
    void baselineBetweenItsOwnBlocks_hasAShareToo() {
        Plan plan = Figured.plan(Setting.NONE, LIMITED, UNLIMITED, SIGNED);

        // the middle block of the baseline stands at position 3 between 1000 at 0 and 1600 at 5
        Result none = row(rows(plan, rates(1000, 1, 1, 1360, 1, 1600)), Setting.NONE);

        assertThat(none.number("share_of_none")).isEqualTo(1.0, within(CLOSE));
        assertThat(none.number("blocks")).isEqualTo(3);
    }

    @Test
    void medians_minimaMaximaAndIntervals_areOfAllBlocks() {
        List<Result> rows = rows(
                ONE, rates(1000, 900, 1000), rates(1000, 700, 1000), rates(1000, 800, 1000), rates(1000, 600, 1000));

        Result row = row(rows, LIMITED);

        assertThat(row.number("blocks")).isEqualTo(4);
        assertThat(row.number("round_trips_per_s")).isEqualTo(750);
        assertThat(row.number("runs.round_trips_per_s.min")).isEqualTo(600);
        assertThat(row.number("runs.round_trips_per_s.max")).isEqualTo(900);
        assertThat(row.number("share_of_none")).isEqualTo(0.75, within(CLOSE));
        assertThat(row.number("runs.share_of_none.min")).isEqualTo(0.6, within(CLOSE));
        assertThat(row.number("runs.share_of_none.max")).isEqualTo(0.9, within(CLOSE));
        assertThat(row.number("runs.share_of_none.low")).isBetween(0.6, 0.75);
        assertThat(row.number("runs.share_of_none.high")).isBetween(0.75, 0.9 + CLOSE);
        assertThat(row.number("p50_us")).isEqualTo((1e6 / 700 + 1e6 / 800) / 2, within(CLOSE));
    }

    @Test
    void addedCpu_isThatOfBothProcesses_aboveTheBaseline() {
        // 400 ms of both processes in each second
        Result row = row(rows(ONE, rates(1000, 800, 1000)), LIMITED);

        assertThat(row.number("added_cpu_ms")).isEqualTo(0.5 - 0.4, within(CLOSE));
        assertThat(row.number("cpu_ms_per_round_trip.broker")).isEqualTo(0.375, within(CLOSE));
        assertThat(row.number("cpu_ms_per_round_trip.client")).isEqualTo(0.125, within(CLOSE));
    }

    @Test
    void limit_isTheShareThatThePrimitivesLeave() {
        List<Result> rows = rows(Figured.plan(Setting.NONE, SIGNED, LIMITED), rates(1000, 600, 900, 1000));

        // two messages of a round trip, each 0.05 ms of signatures, on top of 0.4 ms
        Result signed = row(rows, SIGNED);
        assertThat(signed.number("limit_cpu_ms")).isEqualTo(0.5, within(CLOSE));
        assertThat(signed.number("limit_of_share")).isEqualTo(0.8, within(CLOSE));
        assertThat(signed.number("share_of_limit")).isEqualTo(0.75, within(CLOSE));
        assertThat(row(rows, LIMITED).number("limit_of_share")).isEqualTo(0.4 / 0.41, within(CLOSE));
        assertThat(row(rows, Setting.NONE).has("limit_of_share")).isFalse();
    }

    @Test
    void limit_isMissing_withoutItsPrimitives() {
        Blocks blocks = new Blocks();
        Figured.addRound(blocks, ONE, 0, 1000, 900, 1000);

        Result row = row(Row.all(ONE, blocks.list(), new PrimitiveCost(List.of())), LIMITED);

        assertThat(row.has("limit_of_share")).isFalse();
        assertThat(row.has("share_of_limit")).isFalse();
        assertThat(row.number("share_of_none")).isEqualTo(0.9, within(CLOSE));
    }

    @Test
    void shareOfUnlimited_isTheQuotientOfBothShares() {
        List<Result> rows = rows(TWO, rates(1000, 760, 800, 1000));

        assertThat(row(rows, LIMITED).number("share_of_unlimited")).isEqualTo(0.95, within(CLOSE));
        assertThat(row(rows, UNLIMITED).has("share_of_unlimited")).isFalse();
        assertThat(row(rows, Setting.NONE).has("share_of_unlimited")).isFalse();
    }

    @Test
    void unlimitedRowOfAnotherLoad_isNotComparedWith() {
        Plan plan = new Plan("", TWO.settings(), List.of(LOAD, Load.of(81, 1, 2048)), Figured.TIMING);
        Blocks blocks = new Blocks();
        Figured.addRound(blocks, plan, 0, 1000, 500);
        blocks.add(Figured.name(UNLIMITED, plan.loads().get(1), 0, 1), Figured.figures(1000));

        List<Result> rows = Row.all(plan, blocks.list(), Figured.PRIMITIVES);

        assertThat(rows).noneMatch(row -> row.has("share_of_unlimited"));
    }

    @Test
    void manner_ofAms_hasItsOwnUnlimitedRow() {
        Setting limited = Setting.of(Protection.AMS_CONFIDENTIALITY, new Reuse("32"), KeyKind.RSA2048);
        List<Result> rows =
                rows(Figured.plan(Setting.NONE, limited, limited.unlimited()), rates(1000, 500, 1000, 1000));

        assertThat(row(rows, limited).number("share_of_unlimited")).isEqualTo(0.5, within(CLOSE));
        assertThat(row(rows, limited).has("limit_of_share")).isFalse();
    }

    @Test
    void otherPaces_haveFieldsOfTheirOwn_andAreNotAmongTheOthers() {
        Blocks blocks = new Blocks();
        Figured.addRound(blocks, ONE, 0, 1000, 800, 1000);
        for (double pace : new double[] {0.5, 0.8}) {
            blocks.add(new Name("", LIMITED, LOAD, new Place(0, 9, pace)), Figured.figures(1000 * pace));
            blocks.add(new Name("", LIMITED, LOAD, new Place(1, 9, pace)), Figured.figures(1000 * pace + 10));
        }

        Result row = row(Row.all(ONE, blocks.list(), Figured.PRIMITIVES), LIMITED);

        assertThat(row.number("blocks")).isEqualTo(1);
        assertThat(row.number("round_trips_per_s")).isEqualTo(800);
        assertThat(row.number("at_50_percent.round_trips_per_s")).isEqualTo(505);
        assertThat(row.number("at_80_percent.round_trips_per_s")).isEqualTo(805);
        assertThat(row.number("at_50_percent.p99_us")).isEqualTo((2e6 / 500 + 2e6 / 510) / 2, within(CLOSE));
    }

    @Test
    void blocksOfAnotherPart_areNoneOfThisPlan() {
        Blocks blocks = new Blocks();
        Figured.addRound(blocks, ONE, 0, 1000, 800, 1000);
        Plan other = new Plan("other", ONE.settings(), ONE.loads(), ONE.timing());

        assertThat(Row.all(other, blocks.list(), Figured.PRIMITIVES)).isEmpty();
        blocks.add(new Name("other", Setting.NONE, LOAD, new Place(0, 0, 0)), Figured.figures(7));
        assertThat(Row.all(other, blocks.list(), Figured.PRIMITIVES))
                .singleElement()
                .satisfies(row -> assertThat(row.text("part")).isEqualTo("other"));
        assertThat(Row.all(ONE, blocks.list(), Figured.PRIMITIVES)).noneMatch(row -> row.has("part"));
    }

    @Test
    void row_namesItsSettingAndItsLoad() {
        Result row = row(rows(ONE, rates(1000, 900, 1000)), LIMITED);

        assertThat(row.text("protection")).isEqualTo("confidentiality");
        assertThat(row.text("reuse")).isEqualTo("32");
        assertThat(row.text("key")).isEqualTo("p256");
        assertThat(row.text("transport")).isEqualTo("tcp");
        assertThat(row.text("clients") + " " + row.text("queues") + " " + row.text("size"))
                .isEqualTo("32 1 2048");
    }

    @Test
    void figuresThatAreMissing_areMissingInTheRow() {
        Result row = row(rows(ONE, rates(1000, 900, 1000)), LIMITED);

        assertThat(row.has("disk_bytes_per_message")).isFalse();
        assertThat(row.has("gc_ms_per_s.broker")).isFalse();
    }
}
