/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.pair.Pair;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;
import org.signetmq.perf.setting.Setting;

final class ColdReportTest {
    private static Result row(Setting setting, double rate, double spread) {
        Result row = setting.json();
        for (int size : ColdReads.SIZES) {
            row = row.with(ColdReads.field(size) + "." + Pair.MESSAGES_PER_S, rate)
                    .with(ColdReads.field(size) + "." + ColdReads.SPREAD, spread);
        }
        return row;
    }

    /** Returns rows in which fscrypt keeps half of the rate, and Signet this share. */
    private static ColdReport report(double share, double spread) {
        List<Result> rows = new ArrayList<>();
        rows.add(row(Comparison.DIRECTORY.baseline(), 1000, 1));
        rows.add(row(Comparison.IMAGE.baseline(), 2000, 1));
        rows.add(row(Comparison.fileSystems().get(1), 1000, 1));
        Comparison.ofSignet().forEach(setting -> rows.add(row(setting, 1000 * share, spread)));
        return new ColdReport(rows);
    }

    @Test
    void share_isOfTheRateOnTheSameKindOfDisk() {
        assertThat(report(0.8, 1).json())
                .filteredOn(row ->
                        row.is(Loss.SETTING, Comparison.fileSystems().get(1).label()))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.number("share_of_none")).isEqualTo(0.5, within(1e-9)));
    }

    @Test
    void sealedMessages_mustBeDrainedAsFastAsThoseOfFscrypt() {
        assertThat(report(0.51, 1).targets())
                .hasSize(4)
                .extracting(Target::verdict)
                .containsOnly(Verdict.MET);
        assertThat(report(0.49, 1).targets()).extracting(Target::verdict).containsOnly(Verdict.MISSED);
        assertThat(report(0.51, 2).targets()).extracting(Target::verdict).containsOnly(Verdict.NOISY);
    }

    @Test
    void withoutRows_thereAreNoBars() {
        assertThat(new ColdReport(List.of()).targets()).isEmpty();
    }
}
