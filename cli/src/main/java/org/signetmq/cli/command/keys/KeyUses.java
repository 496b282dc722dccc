/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.keys;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.connection.BrokerAccess;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.connection.ManagementException;
import org.signetmq.cli.connection.ManagementOptions;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.Progress;

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

    /** Asks the plugin of a broker which keys its messages need. Not thread-safe. */
    public static final class KeyUseQuery {
        private static final String SIGNET = "signet";

        /** How long a broker may take for one step. */
        private static final int PATIENCE_MILLIS = 30_000;

        /** The longest list of keys that the broker takes, in characters. */
        private static final int LONGEST_KEYS = 30_000;

        /** The longest answer that is read, in characters. */
        private static final long LONGEST_ANSWER = 64 << 20;

        private final Management broker;
        private final String place;

        private KeyUseQuery(Management broker) {
            this.broker = broker;
            this.place = broker.access().name();
        }

        /**
         * Returns the keys that the messages of a broker name.
         *
         * @param access the broker, and the options for its management
         * @param keys names of keys that the broker counts by themselves in any case, the most important first
         */
        public static KeyUses at(
                BrokerAccess access, ManagementOptions management, Collection<String> keys, CommandContext context) {
            try (Progress progress = new Progress(context)) {
                progress.ofWork("keys: the broker looks at its messages");
                return management.ask(
                        access.waiting(PATIENCE_MILLIS), broker -> new KeyUseQuery(broker).run(joined(keys)));
            }
        }

        private static String joined(Collection<String> keys) {
            StringBuilder joined = new StringBuilder();
            for (String key : keys) {
                if (joined.length() + 1 + key.length() <= LONGEST_KEYS) {
                    joined.append(' ').append(key);
                }
            }
            return joined.toString();
        }

        private KeyUses run(String keys) throws Exception {
            String query = call("queryKeyUse", keys).path("query").asText();
            JsonNode step;
            do {
                step = call("listKeyUse", query, 0);
            } while (!step.path("done").asBoolean());
            long length = step.path("length").asLong();
            if (length > LONGEST_ANSWER) {
                throw CliException.failure(
                        place + ": tells more of its keys than this command reads: " + length + " characters");
            }
            StringBuilder text = new StringBuilder(step.path("text").asText());
            while (text.length() < length) {
                String part =
                        call("listKeyUse", query, text.length()).path("text").asText();
                if (part.isEmpty() || text.length() + (long) part.length() > length) {
                    throw CliException.failure(place + ": its answer has not the length that it told");
                }
                text.append(part);
            }
            return KeyUses.parse(place, text.toString());
        }

        private JsonNode call(String operation, Object... arguments) throws Exception {
            try {
                JsonNode answer = Json.parse(String.valueOf(broker.call(SIGNET, operation, arguments)));
                if (answer.isObject()) {
                    return answer;
                }
            } catch (ManagementException e) {
                throw switch (e.reason()) {
                    case LOST -> CliException.unreachable(place + ": the connection was lost; nothing was changed");
                    case SILENT -> e; // as for every command
                    case NO_RESOURCE, NO_OPERATION ->
                        CliException.failure(place + ": has no Signet that tells the keys of messages")
                                .hint("signet broker install puts this version in");
                };
            } catch (IllegalStateException noJson) {
                // said below
            }
            throw CliException.failure(place + ": its Signet answers what this one does not understand");
        }
    }
}
