/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicyProblem;

/**
 * An answer of the plugin. No text of it can steer a terminal.
 *
 * @param place the broker for messages
 * @param json an object
 */
record Reply(String place, JsonNode json) {
    /** Parses an answer, and rejects one that is no object of JSON. */
    static Reply of(String place, @Nullable Object answer) {
        try {
            JsonNode json = Json.parse(String.valueOf(answer));
            if (json.isObject()) {
                return new Reply(place, json);
            }
        } catch (IllegalStateException e) {
            // said below
        }
        throw CliException.failure(place + ": its Signet answers what this one does not understand");
    }

    private JsonNode required(String key) {
        JsonNode value = json.path(key);
        if (value.isMissingNode() || value.isNull()) {
            throw CliException.failure(place + ": its Signet answers without '" + key + "'");
        }
        return value;
    }

    long number(String key) {
        return required(key).asLong();
    }

    /** Returns a text as it is. */
    String text(String key) {
        return required(key).asText();
    }

    /** Returns a text for messages, or null if the answer has none. */
    @Nullable
    String shown(String key) {
        JsonNode value = json.path(key);
        return value.isMissingNode() || value.isNull() ? null : Failures.oneLine(value.asText());
    }

    /** Returns the texts of a list for messages. */
    List<String> texts(String key) {
        List<String> texts = new ArrayList<>();
        json.path(key).forEach(text -> texts.add(Failures.oneLine(text.asText())));
        return texts;
    }

    boolean isStale() {
        return "stale".equals(shown("outcome"));
    }

    /** Returns the changes that a list names. */
    List<LastChange> changes(String key) {
        List<LastChange> changes = new ArrayList<>();
        json.path(key).forEach(change -> changes.add(new Reply(place, change).lastChange()));
        return changes;
    }

    LastChange lastChange() {
        return new LastChange(number("version"), shown("by"), shown("from"), shown("at"));
    }

    /**
     * Returns what a change did.
     *
     * @param seen the version that the command saw
     * @throws InvalidPolicyException if it was rejected
     * @throws CliException if it was refused, or is stale
     */
    Applied applied(long seen) {
        String outcome = text("outcome");
        return switch (outcome) {
            case "changed", "accepted" ->
                new Applied(json.path("before").asLong(seen), number("version"), texts("warnings"))
                        .replacing(
                                json.path("replaced").isObject()
                                        ? json.path("replaced").toString()
                                        : null);
            case "unchanged" -> Applied.nothing(number("version"));
            case "rejected" -> throw new InvalidPolicyException(problems());
            case "stale" -> throw stale(seen);
            case "refused" -> throw CliException.failure(place + ": refused, nothing was changed: " + shown("reason"));
            default ->
                throw CliException.failure(
                        place + ": its Signet answers an outcome that this one does not know: " + shown("outcome"));
        };
    }

    CliException stale(long seen) {
        JsonNode change = json.path("change");
        LastChange last = change.isObject() && change.has("version")
                ? new Reply(place, change).lastChange()
                : new LastChange(number("version"), null, null, null);
        return last.overtaking(place, seen);
    }

    private List<PolicyProblem> problems() {
        List<PolicyProblem> problems = new ArrayList<>();
        json.path("problems")
                .forEach(problem -> problems.add(new PolicyProblem(
                        Failures.oneLine(problem.path("path").asText()),
                        Failures.oneLine(problem.path("message").asText()))));
        return problems.isEmpty() ? List.of(new PolicyProblem("$", "rejected without a reason")) : problems;
    }
}
