/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.keys;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;

/**
 * The keys that messages on a broker name. No text of it can steer a terminal.
 *
 * @param time the time of the broker after the query
 * @param totals the numbers of messages
 * @param keys one for each key and role
 * @param others the messages with keys that the broker did not count by themselves
 * @param unknown the queues with messages whose keys are not known
 * @param unknownLeftOut the number of further such queues, which the answer does not name
 * @param limits the limits that ended the query before its end
 */
public record KeyUses(
        Instant time,
        Totals totals,
        List<Key> keys,
        Count others,
        List<Unknown> unknown,
        long unknownLeftOut,
        List<String> limits) {
    private static final int LONGEST_KEY = 200;

    public KeyUses {
        keys = List.copyOf(keys);
        unknown = List.copyOf(unknown);
        limits = List.copyOf(limits);
    }

    /**
     * The numbers of messages in all queues.
     *
     * @param messages those that the broker looked at
     * @param clear those that are no envelopes
     * @param notUnderstood those that begin as an envelope and do not go on as one
     */
    public record Totals(
            long queues, long messages, long clear, long notUnderstood, long unreadable, long notLookedAt) {}

    /**
     * A number of messages.
     *
     * @param oldest the time of the oldest, or null if no message has a time
     */
    public record Count(long messages, @Nullable Instant oldest) {}

    /**
     * A key.
     *
     * @param name as an envelope has it
     * @param isSigner whether the messages are signed with the key; else they are encrypted for it
     * @param elsewhere the number of messages in queues that the answer does not name
     */
    public record Key(String name, boolean isSigner, Count all, long elsewhere, List<Row> queues) {
        public Key {
            queues = List.copyOf(queues);
        }
    }

    /** The messages of a key in one queue. */
    public record Row(String address, String queue, Count messages) {}

    /** A queue with messages whose keys are not known. */
    public record Unknown(String address, String queue, long notUnderstood, long unreadable, long notLookedAt) {}

    /** Returns whether the broker looked at each message and could read it. */
    public boolean isComplete() {
        return totals.notLookedAt() == 0 && totals.unreadable() == 0 && limits.isEmpty();
    }

    /** Parses the answer of a broker. */
    static KeyUses parse(String place, String text) {
        try {
            return of(Json.parse(text));
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            throw CliException.failure(place + ": its Signet answers what this one does not understand")
                    .causedBy(e);
        }
    }

    private static KeyUses of(JsonNode json) {
        List<JsonNode> places = new ArrayList<>();
        json.path("places").forEach(places::add);
        List<Unknown> unknown = new ArrayList<>();
        for (JsonNode place : places) {
            Unknown numbers = new Unknown(
                    shown(place, "address"),
                    shown(place, "queue"),
                    place.path("not-understood").asLong(),
                    place.path("unreadable").asLong(),
                    place.path("not-looked-at").asLong());
            if (numbers.notUnderstood() + numbers.unreadable() + numbers.notLookedAt() > 0) {
                unknown.add(numbers);
            }
        }
        List<Key> keys = new ArrayList<>();
        json.path("keys").forEach(key -> keys.add(key(key, places)));
        List<String> limits = new ArrayList<>();
        json.path("limits").forEach(limit -> limits.add(Failures.oneLine(limit.asText())));
        return new KeyUses(
                Instant.ofEpochMilli(json.path("time").asLong()),
                new Totals(
                        json.path("queues").asLong(),
                        json.path("messages").asLong(),
                        json.path("clear").asLong(),
                        json.path("not-understood").asLong(),
                        json.path("unreadable").asLong(),
                        json.path("not-looked-at").asLong()),
                keys,
                count(json.path("others")),
                unknown,
                json.path("queues-left-out").asLong(),
                limits);
    }

    private static Key key(JsonNode key, List<JsonNode> places) {
        List<Row> rows = new ArrayList<>();
        for (JsonNode row : key.path("queues")) {
            JsonNode place = places.get(row.path("place").asInt());
            rows.add(new Row(shown(place, "address"), shown(place, "queue"), count(row)));
        }
        String name = shown(key, "key");
        return new Key(
                name.substring(0, Math.min(name.length(), LONGEST_KEY)),
                key.path("role").asText().equals("signer"),
                count(key),
                key.path("elsewhere").asLong(),
                rows);
    }

    private static Count count(JsonNode json) {
        long oldest = json.path("oldest").asLong();
        return new Count(json.path("messages").asLong(), oldest <= 0 ? null : Instant.ofEpochMilli(oldest));
    }

    private static String shown(JsonNode json, String key) {
        return Failures.oneLine(json.path(key).asText());
    }
}
