/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.interceptor.internal.check.Findings.Level;
import org.signetmq.interceptor.internal.home.HomeNames.Used;
import org.signetmq.interceptor.internal.home.HomeNames.Used.Use;
import org.signetmq.interceptor.internal.home.PolicyJudge.PolicyFinding;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.interceptor.internal.status.PluginStatus.LargeMessages.Mode;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.home.TrustFindings;
import org.signetmq.keystore.trust.CertificateEnd;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.RevocationSettings.Failure;

/**
 * Checks the plugin's home: its policies, certificates and keys.
 *
 * @param readiness the home and the policies
 * @param now the time of the check
 */
record HomeChecks(Readiness readiness, Instant now) {
    /** The greatest number of certificates in a list. */
    private static final int MOST_CERTIFICATES = 200;

    /** The greatest length of all names and subjects of a list, in characters, because an answer is one message. */
    private static final int LONGEST_LIST = 30_000;

    /** The least number of waits that matters. The plugin waits at its start and after changes, too. */
    private static final long MANY_WAITS = 1000;

    /** The number of sealed messages for each one that may wait. */
    private static final long ONE_IN = 10;

    /** Checks that the plugin can protect messages. */
    void state(PluginStatus status, Findings found) {
        if (readiness instanceof Readiness.Unavailable unavailable) {
            found.wrong(
                    "messages are rejected: " + unavailable.reason(),
                    "correct this; the plugin sees changed files within a second, but reads broker.xml only at the start"
                            + " of the broker");
        }
        long unjudged = status.counts().unjudged();
        if (unjudged > 0) {
            found.warn(
                    unjudged + (unjudged == 1 ? " message" : " messages")
                            + " came by a way on which Artemis calls no plugin; Signet judged at the storage",
                    "if no federation has ignoreAddressBindingFilters=false, report this with the log lines 'message not"
                            + " judged'");
        }
    }

    /** Checks that each policy can be applied. */
    void policies(PluginStatus status, Findings found) {
        String problem = status.policies().problem();
        if (problem != null) {
            found.wrong(
                    "the changed policies are not in force: " + problem,
                    "correct policies.json in the home of the broker");
        }
        for (PolicyFinding finding : status.policies().findings()) {
            found.add(
                    finding.isFailure() ? Level.WRONG : Level.WARNING,
                    Findings.name(finding.pattern()) + ": " + finding.problem(),
                    finding.remedy());
        }
    }

    /** Checks that each name in the home stands for one key. */
    void names(Findings found) {
        if (readiness instanceof Readiness.Ready ready) {
            ready.home()
                    .names()
                    .finding(ready.policies())
                    .ifPresent(finding -> found.wrong(
                            "names in certificates do not stand for one key: " + finding,
                            "run signet doctor home on the machine of the broker, and follow its commands"));
        }
    }

    /** Checks that keys are ready when messages need them. */
    void keys(PluginStatus status, Findings found) {
        long waits = status.counts().keyWaits();
        if (waits >= MANY_WAITS && waits >= status.counts().sealed() / ONE_IN) {
            found.warn(
                    waits + " messages waited for a data key, of "
                            + status.counts().sealed() + " sealed ones",
                    "set a larger key-pregenerator.capacity, give the broker more cores, or set a larger --key-reuse"
                            + " for policies of confidentiality");
        }
    }

    /** Checks that large messages can be protected. */
    void largeMessages(PluginStatus status, Findings found) {
        if (status.largeMessages().mode() == Mode.REFUSED && readiness instanceof Readiness.Ready) {
            found.wrong(
                    "large messages to protected addresses are rejected: "
                            + status.largeMessages().reason(),
                    "set persistence-enabled to true if it is false, or use a version of Artemis that Signet knows");
        }
    }

    /**
     * Checks when the certificates end that messages need now, that it is known which ones are revoked, and that no
     * messages are opened that do not commit to one key.
     */
    void certificates(Findings found) {
        if (readiness instanceof Readiness.Ready ready) {
            boolean signs = ready.policies().policies().stream()
                    .anyMatch(policy -> policy.quality().provesSender());
            ready.home()
                    .names()
                    .used(ready.policies(), ready.home().identities())
                    .forEach(used -> end(used, signs, found));
            CertificateTrust trust = ready.home().names().files();
            revocations(trust.revocations(), trust.unknownStates(now), found);
            TrustFindings.uncommitted(trust, now)
                    .ifPresent(finding -> found.warn(finding.path() + ": " + finding.what(), finding.mend()));
        }
    }

    private void end(Used used, boolean signs, Findings found) {
        CertificateEnd end = CertificateEnd.of(used.certificate(), now);
        // the check of policies reports recipients and signers in the past
        if (!end.isNear() || ((used.use() == Use.PARTY || used.use() == Use.STORED) && end.isPast())) {
            return;
        }
        String owner = used.use() == Use.OWN
                ? "the broker's own certificate "
                : "the certificate " + used.use().folder() + Findings.name(used.name()) + " ";
        found.add(
                used.use() == Use.OWN && signs && end.isPast() ? Level.WRONG : Level.WARNING,
                owner + end.inWords(),
                switch (used.use()) {
                    case OWN ->
                        "give the broker a new identity, and before that put its certificate into recipients/ and trust/"
                                + " of the consumers";
                    case PARTY ->
                        "put a new certificate into recipients/, and before that into trust/ beside the old one";
                    case STORED -> "renew it with signet certificate add --broker";
                    case ISSUER -> "put its successor beside it, and remove it after its end";
                });
    }

    private void revocations(RevocationReport report, List<String> ofHome, Findings found) {
        report.problem()
                .ifPresent(problem -> found.wrong(
                        "the changed settings of trust are not in force: " + problem,
                        "correct trust.json in the home of the broker"));
        boolean hard = report.settings().failure() == Failure.HARD;
        Stream.concat(report.unknown().stream(), ofHome.stream())
                .distinct()
                .forEach(certificate -> found.add(
                        hard ? Level.WRONG : Level.WARNING,
                        (hard ? "rejected: " : "accepted, because fail is soft: ") + certificate,
                        "make its issuer's list or responder reachable, or put a list into crl/ or an answer into"
                                + " ocsp/"));
        report.sources().stream()
                .filter(source -> source.problem().isPresent())
                .forEach(source -> found.warn(
                        source.address() + " is of no use: " + source.problem().orElse("") + "; what is known "
                                + source.until()
                                        .filter(now::isBefore)
                                        .map(end -> "ends at " + end)
                                        .orElse("has ended, or is nothing"),
                        "ask the operator of that address, or put a list into crl/ or an answer into ocsp/"));
        if (report.settings().failure() == Failure.SOFT) {
            found.warn(
                    "fail is soft in trust.json: a certificate is accepted while it is unknown whether it is revoked",
                    "write \"fail\": \"hard\" when all sources answer");
        }
    }

    /**
     * Lists the certificates that messages need now as JSON of a bounded length, with the number of those left out. The
     * first to end comes first.
     */
    String certificates() {
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("time", now.toString());
        ArrayNode list = answer.putArray("certificates");
        List<Used> all = readiness instanceof Readiness.Ready ready
                ? ready.home().names().used(ready.policies(), ready.home().identities())
                : List.of();
        int length = 0;
        // the sort is stable: own, parties and issuers keep their order
        for (Used used : all.stream().sorted(Comparator.comparing(Used::end)).toList()) {
            String name = Findings.text(used.use().folder() + used.name());
            String subject =
                    Findings.text(DistinguishedName.shown(used.certificate().getSubjectX500Principal()));
            length += name.length() + subject.length();
            if (list.size() == MOST_CERTIFICATES || length > LONGEST_LIST) {
                break;
            }
            list.addObject()
                    .put("kind", used.use().label())
                    .put("name", name)
                    .put("subject", subject)
                    .put("until", used.end().toString())
                    .put("days", Math.floorDiv(Duration.between(now, used.end()).toSeconds(), 86_400L));
        }
        return answer.put("left-out", all.size() - list.size()).toString();
    }
}
