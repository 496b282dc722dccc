/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Setting.Place;
import org.signetmq.perf.setting.Setting.Transport;

final class CoverageReportTest {
    private static final List<String> PLACES = List.of(
            Coverage.JOURNAL,
            Coverage.PAGES,
            Coverage.LARGE,
            Coverage.STORED,
            Coverage.MEMORY,
            Coverage.TO_BROKER,
            Coverage.TO_CONSUMERS);

    private static Result row(Setting setting, int... counts) {
        Result row = setting.json();
        for (int i = 0; i < counts.length; i++) {
            row = row.with(PLACES.get(i), counts[i]);
        }
        return row;
    }

    private static List<Verdict> verdicts(Result... rows) {
        return new CoverageReport(List.of(rows))
                .targets().stream().map(Target::verdict).toList();
    }

    private static Setting none(Transport transport, String disk) {
        return Setting.NONE.in(new Place(transport, disk));
    }

    @Test
    void placesAsTheyMustBe_areMet() {
        assertThat(verdicts(
                        row(none(Transport.TCP, Disks.PLAIN), 1, 1, 1, 1, 1, 1, 1),
                        row(none(Transport.TLS, Disks.PLAIN), 1, 1, 1, 1, 1, 0, 0),
                        row(none(Transport.TCP, Disks.GOCRYPTFS), 1, 1, 1, 0, 1, 1, 1),
                        row(none(Transport.TCP, Disks.FSCRYPT), 1, 1, 1, 0, 1, 1, 1),
                        row(none(Transport.TCP, Disks.IMAGE), 1, 1, 1, 1, 1, 1, 1),
                        row(Comparison.signet(), 0, 0, 0, 0, 9, 9, 0),
                        row(Comparison.ofSignet().get(1), 0, 0, 0, 0, 0, 0, 0)))
                .hasSize(9)
                .containsOnly(Verdict.MET);
    }

    @Test
    void payloadInClear_isMissed_whereverSignetShouldHideIt() {
        for (int place : new int[] {0, 1, 2, 3, 6}) {
            int[] counts = new int[PLACES.size()];
            counts[place] = 1;
            assertThat(verdicts(row(Comparison.signet(), counts)))
                    .as(PLACES.get(place))
                    .containsExactly(Verdict.MISSED);
        }
        for (int place = 0; place < PLACES.size(); place++) {
            int[] counts = new int[PLACES.size()];
            counts[place] = 1;
            assertThat(verdicts(row(Comparison.ofSignet().get(1), counts)))
                    .as(PLACES.get(place))
                    .containsExactly(Verdict.MISSED);
        }
    }

    /** A search that finds nothing without encryption proves nothing for the others. */
    @Test
    void placeInWhichNothingIsFoundWithoutEncryption_isMissed() {
        assertThat(verdicts(row(none(Transport.TCP, Disks.PLAIN), 1, 1, 1, 1, 1, 1, 0)))
                .containsExactly(Verdict.MISSED);
    }
}
