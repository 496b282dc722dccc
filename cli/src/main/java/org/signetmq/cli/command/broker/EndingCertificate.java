/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.connection.ManagementException;
import org.signetmq.cli.connection.ManagementException.Reason;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.keystore.trust.CertificateEnd;

/**
 * A certificate of a broker that has ended or ends within 30 days.
 *
 * @param name its file in the home, or {@code identity} for the broker's own
 * @param until its end
 * @param days the days to its end; negative after it
 */
record EndingCertificate(String name, String subject, String until, long days) {
    private static final int SOON = 30;
    private static final int MOST = 20;

    /** Asks a broker for the first 20 to end. Returns null if its plugin is of a version that does not tell. */
    static @Nullable List<EndingCertificate> of(Management broker, String resource) throws Exception {
        try {
            JsonNode answer = Json.parse(String.valueOf(broker.call(resource, "listCertificates")));
            return StreamSupport.stream(answer.path("certificates").spliterator(), false)
                    .filter(each -> each.path("days").asLong(SOON) < SOON)
                    .limit(MOST)
                    .map(EndingCertificate::of)
                    .toList();
        } catch (ManagementException e) {
            if (e.reason() == Reason.NO_OPERATION) {
                return null;
            }
            throw e;
        } catch (IllegalStateException noJson) {
            return null;
        }
    }

    private static EndingCertificate of(JsonNode json) {
        return new EndingCertificate(
                text(json, "name"),
                text(json, "subject"),
                text(json, "until"),
                json.path("days").asLong());
    }

    private static String text(JsonNode json, String key) {
        return Failures.oneLine(json.path(key).asText());
    }

    /** Returns it as a sentence. */
    String inWords(Instant now) {
        try {
            return name + " " + new CertificateEnd(Instant.parse(until), now).inWords();
        } catch (DateTimeException noTime) { // a broker may send any text
            return name + " ends at " + until;
        }
    }
}
