/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Bar.Verdict;

final class BarTest {
    private static final List<Row> ROWS = List.of(
            row("sealed", 8, 0.9, 1.1),
            row("sealed", 32, 0.8, 1.1),
            row("clear", 32, 1.0, 1.1),
            row("noisy", 32, 0.8, 1.6),
            row("cold", 32, 0.8, 1.1).with("jit_ms_per_s", 101));

    private static Row row(String setting, int clients, double share, double spread) {
        return Row.of("setting", setting)
                .with("clients", clients)
                .with("share", share)
                .with("spread", spread);
    }

    private static Pick share(String setting) {
        return Pick.of("share", "setting", setting);
    }

    @Test
    void figure_isMetOrMissed_byItsSide() {
        assertThat(Bar.atLeast(0.9, "", Pick.of("share", "setting", "sealed", "clients", 8))
                        .verdict(ROWS))
                .isEqualTo(Verdict.MET);
        assertThat(Bar.atMost(0.85, "", Pick.of("share", "setting", "sealed", "clients", 8))
                        .verdict(ROWS))
                .isEqualTo(Verdict.MISSED);
    }

    @Test
    void severalRows_countByTheSmallest() {
        assertThat(share("sealed").in(ROWS).value()).isEqualTo(0.8);
    }

    @Test
    void figureThatScatters_orOfCodeThatJavaStillCompiled_provesNothing() {
        assertThat(Bar.atLeast(0.1, "", share("noisy")).verdict(ROWS)).isEqualTo(Verdict.NOISY);
        assertThat(Bar.atLeast(0.1, "", share("cold")).verdict(ROWS)).isEqualTo(Verdict.NOISY);
        assertThat(Bar.atLeast(0.1, "", share("clear").over(share("noisy"))).verdict(ROWS))
                .isEqualTo(Verdict.NOISY);
    }

    @Test
    void figureWithoutRows_isNotMeasured() {
        assertThat(Bar.atLeast(0.1, "", share("other")).verdict(ROWS)).isEqualTo(Verdict.NOT_MEASURED);
        assertThat(Bar.atLeast(0.1, "", share("clear").over(share("other"))).verdict(ROWS))
                .isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    void row_hasTheRatio_andTheVerdict() {
        Row row = Bar.atLeast(0.95, "sealed / clear", share("sealed").over(share("clear")))
                .in(ROWS);

        assertThat(row.cells())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "bar", "sealed / clear", "measured", 0.8, "wanted", "at least 0.950", "verdict", "missed"));
    }

    @Test
    void published_standsBesideTheSameMannerAndSignet() {
        assertThat(new Published("a", 0.5, share("clear"), share("other"))
                        .in(ROWS)
                        .cells())
                .containsExactlyInAnyOrderEntriesOf(Map.of("figure", "a", "published", 0.5, "same manner here", 1.0));
    }

    @Test
    void publishedDocuments_haveTheValuesOfTheirCurves() {
        Published.Document ams = Published.Document.read("ams");

        assertThat(ams.source()).contains("AMS.pdf");
        assertThat(ams.figure("figure-1").value("none", 81)).isEqualTo(23628);
        assertThat(ams.figure("figure-2").ratio("confidentiality.32", "none", 241))
                .isEqualTo(27014.0 / 59848);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ams.figure("figure-1").value("none", 82))
                .withMessage("figure-1: no value of none at 82.0");
        assertThatIllegalArgumentException().isThrownBy(() -> ams.figure("figure-9"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Published.Chart("f", "", "", List.of(1.0), Map.of("c", List.of())))
                .withMessage("f: curve c must have a value for each x");
    }
}
