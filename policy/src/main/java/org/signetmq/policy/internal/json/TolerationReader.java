/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.internal.text.Quoted;

/** Reads the toleration of unprotected messages from a policy. */
final class TolerationReader {
    /** The first instant that has no year of four digits. */
    private static final Instant TOO_LATE = Instant.parse("+10000-01-01T00:00:00Z");

    private static final Instant TOO_EARLY = Instant.parse("0000-01-01T00:00:00Z");
    private static final String FORMS =
            "write \"enforce\", or {\"until\": \"2026-12-31T00:00:00Z\"} to tolerate until then";

    private TolerationReader() {}

    /** Returns the policy's toleration; {@link Toleration#ENFORCE} if it has none or a wrong one. */
    static Toleration read(JsonObject policy) {
        Optional<JsonNode> value = policy.field(PolicyKeys.TOLERATION);
        if (value.isEmpty() || PolicyKeys.ENFORCE.equals(value.get().textValue())) {
            return Toleration.ENFORCE;
        }
        if (!(value.get() instanceof ObjectNode object)) {
            policy.reject(
                    PolicyKeys.TOLERATION,
                    "no known toleration, found " + JsonObject.describe(value.get()) + "; " + FORMS);
            return Toleration.ENFORCE;
        }
        JsonObject toleration = new JsonObject(object, policy.pathOf(PolicyKeys.TOLERATION));
        toleration.rejectUnknownKeys(PolicyKeys.OF_TOLERATION);
        toleration.rejectIfMissing(PolicyKeys.UNTIL, "toleration needs an end; " + FORMS);
        Optional<String> until = toleration.text(PolicyKeys.UNTIL);
        Optional<Instant> end = until.flatMap(TolerationReader::instant);
        if (until.isPresent() && end.isEmpty()) {
            toleration.reject(
                    PolicyKeys.UNTIL,
                    "no date with time and zone, found " + Quoted.text(until.get())
                            + "; write it as \"2026-12-31T00:00:00Z\"");
        }
        policy.rejectAll(PolicyKeys.TOLERATION, toleration.problems());
        return end.map(Toleration::new).orElse(Toleration.ENFORCE);
    }

    private static Optional<Instant> instant(String text) {
        try {
            Instant instant = OffsetDateTime.parse(text).toInstant();
            return instant.isBefore(TOO_EARLY) || !instant.isBefore(TOO_LATE) ? Optional.empty() : Optional.of(instant);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
