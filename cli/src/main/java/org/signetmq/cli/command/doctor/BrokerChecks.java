/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.connection.BrokerAccess;
import org.signetmq.cli.connection.LoginOptions.ManagementOptions;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.connection.Management.ManagementException;
import org.signetmq.cli.connection.Management.ManagementException.Reason;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Json;

/**
 * The checks of a running broker. The plugin makes most of them.
 *
 * @param management the options for its management
 * @param version of this program
 */
record BrokerChecks(BrokerAccess access, ManagementOptions management, Clock clock, String version) {
    private static final Duration APART = Duration.ofSeconds(30);
    private static final String SIGNET = "signet";

    /** The greatest number of areas that are read of an answer. */
    private static final int MOST = 100;

    /**
     * An answer of the broker.
     *
     * @param findings what the plugin found; null if there is no plugin that can tell
     * @param asked the time of the question here
     * @param answered the time of the answer here
     */
    private record Answer(
            @Nullable JsonNode findings, @Nullable Reason missing, Instant asked, Instant answered) {}

    /** Runs all of them, and returns whether the broker can be reached. */
    boolean into(Report report) {
        Answer answer;
        try {
            answer = management.ask(access, this::ask);
        } catch (CliException e) {
            report.check("broker", found -> {
                throw e;
            });
            return !e.isUnreachable();
        }
        report.check("broker", found -> reached(answer, found));
        JsonNode findings = answer.findings();
        if (findings != null) {
            report.check("broker versions", found -> versions(findings, found));
            report.check("broker clock", found -> clock(findings, answer, found));
            areas(findings).forEach(area -> report.check("broker " + area, found -> area(area, findings, found)));
        }
        return true;
    }

    private Answer ask(Management broker) throws Exception {
        Instant asked = clock.instant();
        try {
            Object text = broker.call(SIGNET, "listFindings");
            return new Answer(Json.parse(String.valueOf(text)), null, asked, clock.instant());
        } catch (ManagementException e) {
            if (e.reason() == Reason.NO_RESOURCE || e.reason() == Reason.NO_OPERATION) {
                return new Answer(null, e.reason(), asked, clock.instant());
            }
            throw e;
        } catch (IllegalStateException noJson) {
            throw CliException.failure(access.name() + ": its resource signet does not answer as Signet does")
                    .hint("install this version of the plugin with signet broker install");
        }
    }

    private String reached(Answer answer, Report.Area found) {
        if (answer.missing() == Reason.NO_RESOURCE) {
            found.wrong(
                    access.name() + ": has no Signet, messages are stored as they come",
                    "run signet broker install on its machine, and restart the broker");
        } else if (answer.missing() == Reason.NO_OPERATION) {
            found.warn(
                    access.name() + ": its Signet is of an earlier version, and does not check the broker",
                    "install this version with signet broker install; signet broker status shows the state");
        }
        return access.name() + " answers";
    }

    private String versions(JsonNode findings, Report.Area found) {
        String plugin = findings.path("version").asText();
        String versions =
                "plugin " + plugin + ", Artemis " + findings.path("artemis").asText();
        if (!plugin.equals(version)) {
            found.warn(
                    versions + ", but this program is of version " + version,
                    "install this version with signet broker install, or use the program of the plugin's version");
        }
        return versions;
    }

    private String clock(JsonNode findings, Answer answer, Report.Area found) {
        Instant there;
        try {
            there = Instant.parse(findings.path("time").asText());
        } catch (DateTimeException noTime) {
            found.wrong("the broker does not tell its time", "install this version with signet broker install");
            return "";
        }
        boolean behind = there.isBefore(answer.asked());
        Duration apart = behind ? Duration.between(there, answer.asked()) : Duration.between(answer.answered(), there);
        if (apart.compareTo(APART) > 0) {
            found.wrong(
                    "the clock of the broker is " + apart.toSeconds() + " seconds " + (behind ? "behind" : "ahead of")
                            + " that of this machine",
                    "set both by a time server; the ends of certificates and keys depend on them");
        }
        return "as here, within " + APART.toSeconds() + " seconds";
    }

    private static Set<String> areas(JsonNode findings) {
        Set<String> areas = new LinkedHashSet<>();
        for (JsonNode area : findings.path("areas")) {
            if (areas.size() < MOST) {
                areas.add(area.asText());
            }
        }
        for (JsonNode finding : findings.path("findings")) {
            if (areas.size() < MOST) {
                areas.add(finding.path("area").asText());
            }
        }
        return areas;
    }

    private static String area(String area, JsonNode findings, Report.Area found) {
        for (JsonNode finding : findings.path("findings")) {
            if (finding.path("area").asText().equals(area)) {
                String what = finding.path("what").asText();
                String remedy = finding.path("remedy").asText();
                if (finding.path("level").asText().equals("warning")) {
                    found.warn(what, remedy);
                } else {
                    found.wrong(what, remedy);
                }
            }
        }
        return "nothing found";
    }
}
