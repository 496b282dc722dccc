/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.RevocationSettings.Failure;

/**
 * Checks that it is known which certificates are revoked.
 *
 * @param now the time of the check
 */
record RevocationSourcesCheck(Readiness readiness, Instant now) implements Check {
    @Override
    public void look(Findings found) {
        if (readiness instanceof Readiness.Ready ready) {
            CertificateTrust trust = ready.home().names().trust();
            judge(trust.revocations(), trust.unknownStates(now), found);
        }
    }

    private void judge(RevocationReport report, List<String> ofHome, Findings found) {
        report.problem()
                .ifPresent(problem -> found.wrong(
                        "the changed settings of trust are not in force: " + Shown.text(problem),
                        "correct trust.json in the home of the broker"));
        boolean hard = report.settings().failure() == Failure.HARD;
        Stream.concat(report.unknown().stream(), ofHome.stream()).distinct().forEach(certificate -> {
            String what = (hard ? "rejected: " : "accepted, because fail is soft: ") + Shown.text(certificate);
            String remedy =
                    "make its issuer's list or responder reachable, or put a list into crl/ or an answer into ocsp/";
            if (hard) {
                found.wrong(what, remedy);
            } else {
                found.warn(what, remedy);
            }
        });
        report.sources().stream()
                .filter(source -> source.problem().isPresent())
                .forEach(source -> found.warn(
                        Shown.text(source.address() + " is of no use: "
                                + source.problem().orElse("") + "; what is known "
                                + source.until()
                                        .filter(now::isBefore)
                                        .map(end -> "ends at " + end)
                                        .orElse("has ended, or is nothing")),
                        "ask the operator of that address, or put a list into crl/ or an answer into ocsp/"));
        if (report.settings().failure() == Failure.SOFT) {
            found.warn(
                    "fail is soft in trust.json: a certificate is accepted while it is unknown whether it is revoked",
                    "write \"fail\": \"hard\" when all sources answer");
        }
    }
}
