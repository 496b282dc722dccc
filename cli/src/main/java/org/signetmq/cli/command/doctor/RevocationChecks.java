/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.RevocationSettings;

/**
 * Checks that a home knows which certificates are revoked. It asks the addresses that are due, so that the commands
 * after it find their answers in the home.
 *
 * @param now the time of the check
 */
record RevocationChecks(Home home, Instant now) {
    /** The time after which no further address is asked. */
    private static final Duration MOST = Duration.ofSeconds(30);

    private static final String PUT_FILES = "or put a list into crl/ or an OCSP answer into ocsp/";

    String look(Report.Area found) {
        try (CertificateTrust trust = home.certificateTrust()) {
            trust.fetchRevocations(MOST);
            RevocationReport report = trust.revocations();
            judge(report, found);
            if (report.settings().failure() == RevocationSettings.Failure.HARD) {
                trust.unknownStates(now)
                        .forEach(reason -> found.wrong("rejected: " + reason, RevocationReport.LIST_REMEDY));
            }
            return words(report.settings());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            found.warn("not checked to the end", "run this command again");
            return "";
        }
    }

    private void judge(RevocationReport report, Report.Area found) {
        report.problem()
                .ifPresent(problem -> found.wrong(
                        problem, "correct trust.json; docs/trust.md and docs/trust.schema.json describe it"));
        report.sources().stream().filter(source -> source.problem().isPresent()).forEach(source -> {
            String what = source.address() + ": " + source.problem().orElse("");
            String remedy = "ask the operator of that address, " + PUT_FILES;
            if (source.until().filter(now::isBefore).isPresent()) {
                found.warn(what + "; the last answer is still right", remedy);
            } else {
                found.wrong(what, remedy);
            }
        });
        if (report.settings().failure() == RevocationSettings.Failure.SOFT) {
            found.warn(
                    "fail is soft: a certificate is accepted while it is unknown whether it is revoked",
                    "write \"fail\": \"hard\" into trust.json when all sources answer");
        }
    }

    private static String words(RevocationSettings settings) {
        return settings.isRequired()
                ? "crl " + word(settings.crl()) + ", ocsp " + word(settings.ocsp()) + ", fail "
                        + word(settings.failure())
                : "lists in crl/ revoke, and no certificate needs one";
    }

    private static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }
}
