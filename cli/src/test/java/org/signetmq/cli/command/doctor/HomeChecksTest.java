/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun;
import org.signetmq.cli.command.doctor.Report.Verdict;
import org.signetmq.cli.command.doctor.Report.Verdict.Level;
import org.signetmq.keystore.home.Home;

/** The checks of a home as time passes. */
final class HomeChecksTest {
    @TempDir
    private Path folder;

    private Home home;

    @BeforeEach
    void makeHome() {
        home = new Home(folder.resolve("signet-home"));
        var unused = new CliRun(folder).run("identity create alice --dn CN=alice");
    }

    private Instant end() {
        return home.recipientDirectory()
                .find("alice")
                .orElseThrow()
                .certificate()
                .getNotAfter()
                .toInstant();
    }

    private List<Verdict> certificates(Instant now) {
        Report report = new Report();
        new HomeChecks(home, null, now).into(report);
        return report.verdicts().stream()
                .filter(verdict -> verdict.area().equals("certificates"))
                .toList();
    }

    @Test
    void certificateThatEndsSoon_isAWarning_onceForBothFolders() {
        assertThat(certificates(end().minus(Duration.ofDays(10))))
                .singleElement()
                .satisfies(verdict -> {
                    assertThat(verdict.level()).isEqualTo(Level.WARNING);
                    assertThat(verdict.what()).startsWith("recipients/alice.pem ends in 10 days, at ");
                });
        assertThat(certificates(end().minus(Duration.ofDays(31))))
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.level()).isEqualTo(Level.OK));
    }

    @Test
    void certificateThatEnded_isAWarning_becauseThePoliciesSayWhereItMatters() {
        assertThat(certificates(end().plus(Duration.ofDays(1)))).singleElement().satisfies(verdict -> {
            assertThat(verdict.level()).isEqualTo(Level.WARNING);
            assertThat(verdict.what()).startsWith("recipients/alice.pem ended at ");
        });
    }

    @Test
    void issuerThatEndsSoon_isAWarning() throws Exception {
        Files.delete(home.recipients().resolve("alice.pem"));
        Instant end = home.certificateTrust()
                .trusted()
                .get(0)
                .certificate()
                .getNotAfter()
                .toInstant();

        assertThat(certificates(end.minus(Duration.ofDays(10))))
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.what()).startsWith("trust/alice.pem ends in 10 days"));
    }
}
