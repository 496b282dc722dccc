/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.signetmq.cli.command.doctor.Report.Verdict;
import org.signetmq.cli.command.doctor.Report.Verdict.Level;
import org.signetmq.cli.console.CliException;

final class ReportTest {
    private final Report report = new Report();

    @Test
    void areaWithoutFindings_isOneLine() {
        report.check("home", found -> "a summary");

        assertThat(report.verdicts())
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.line()).isEqualTo("ok    home: a summary"));
        assertThat(report.isWrong()).isFalse();
    }

    @Test
    void warnings_areNotWrong() {
        report.check("home", found -> {
            found.warn("what", "remedy");
            return "";
        });

        assertThat(report.verdicts())
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.line()).isEqualTo("warn  home: what; remedy"));
        assertThat(report.isWrong()).isFalse();
    }

    @Test
    void checkThatFails_isALine() {
        report.check("one", found -> {
            throw CliException.configuration("broken").hint("mend it");
        });
        report.check("two", found -> {
            throw new StackOverflowError();
        });
        report.check("three", found -> {
            throw new IllegalStateException("odd\u001b[2J");
        });

        assertThat(report.verdicts())
                .extracting(Verdict::line)
                .satisfiesExactly(
                        one -> assertThat(one).isEqualTo("WRONG one: broken; mend it"),
                        two -> assertThat(two).startsWith("warn  two: could not be checked: java.lang.StackOverflow"),
                        three -> assertThat(three)
                                .startsWith("warn  three: could not be checked: java.lang.IllegalStateException: odd")
                                .doesNotContain("\u001b"));
    }

    @Test
    void manyFindings_areCut_andCounted() {
        report.check("home", found -> {
            for (int i = 0; i < 100_000; i++) {
                found.warn("what", "remedy");
            }
            found.wrong("at last", "remedy");
            return "";
        });

        assertThat(report.verdicts()).hasSize(Report.MOST + 1);
        assertThat(report.verdicts().get(Report.MOST).line()).startsWith("WRONG home: 99901 more are not listed");
        assertThat(report.isWrong()).isTrue();
    }

    @Test
    void hostileTexts_fitATerminal() {
        String hostile = "\u001b[2J\r\n\u202e\u2028\ud800" + "x".repeat(10_000);
        report.check(hostile, found -> {
            found.wrong(hostile, hostile);
            return "";
        });

        assertThat(report.verdicts())
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.line())
                        .hasSizeLessThan(7000)
                        .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Cs}]"));
        assertThat(report.verdicts().get(0).level()).isEqualTo(Level.WRONG);
    }
}
