/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.keys;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.keys.HomeKeys.Known;
import org.signetmq.cli.connection.BrokerAccess;
import org.signetmq.cli.connection.LoginOptions.ManagementOptions;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.Progress;

/**
 * The keys that messages on a broker name, in the order of their names in the home. No text of it can steer a terminal.
 *
 * @param complete whether the broker looked at each message and could read it
 * @param time the time of the broker after the query
 * @param totals the numbers of messages
 * @param limits the limits that ended the query before its end
 * @param keys one for each key and role
 * @param others the messages with keys that the broker did not count by themselves
 * @param unknown the queues with messages whose keys are not known
 * @param unknownLeftOut the number of further such queues, which the answer does not name
 */
public record KeyUses(
        boolean complete,
        Instant time,
        @JsonUnwrapped Totals totals,
        List<String> limits,
        List<Key> keys,
        Count others,
        List<Unknown> unknown,
        long unknownLeftOut) {
    private static final List<String> ROLES = List.of("signer", "sender");
    private static final int LONGEST_KEY = 200;

    /** How long a broker may take for one step. */
    private static final int PATIENCE_MILLIS = 30_000;

    /** The longest list of keys that the broker takes, in characters. */
    private static final int LONGEST_KEYS = 30_000;

    /** The longest answer that is read, in characters. */
    private static final long LONGEST_ANSWER = 64 << 20;

    public KeyUses {
        limits = List.copyOf(limits);
        keys = List.copyOf(keys);
        unknown = List.copyOf(unknown);
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
     * @param key its name, as an envelope has it
     * @param role {@code signer} if the messages are signed with the key; {@code sender} if the sender agreed on their
     *     data keys with it; {@code recipient} if they are encrypted for it
     * @param known the keys of the home that it may be
     * @param elsewhere the number of messages in queues that the answer does not name
     */
    public record Key(
            String key,
            String role,
            List<Known> known,
            @JsonUnwrapped Count all,
            List<Row> queues,
            long elsewhere) {
        private static final int SHORT_ID = 16;

        public Key {
            known = List.copyOf(known);
            queues = List.copyOf(queues);
        }

        /** Whether messages are encrypted for the key. */
        public boolean opens() {
            return !ROLES.contains(role);
        }

        /** Returns the first digits of its identifier if the home knows it, or else its name. */
        String id() {
            return known.isEmpty() ? key : known.get(0).keyId().substring(0, SHORT_ID);
        }

        /** Returns its names in the home, or a dash. */
        String names() {
            return known.isEmpty() ? "-" : known.stream().map(Known::toString).collect(Collectors.joining(", "));
        }

        /** Returns how messages use it, in words that its name follows. */
        public String use() {
            return opens() ? "encrypted for" : role.equals("signer") ? "signed by" : "sent by";
        }
    }

    /** The messages of a key in one queue. */
    public record Row(
            String address, String queue, @JsonUnwrapped Count count) {}

    /** A queue with messages whose keys are not known. */
    public record Unknown(String address, String queue, long notUnderstood, long unreadable, long notLookedAt) {
        public Unknown {
            address = Failures.oneLine(address);
            queue = Failures.oneLine(queue);
        }

        private boolean isAny() {
            return notUnderstood + unreadable + notLookedAt > 0;
        }
    }

    private static KeyUses of(JsonNode json, HomeKeys home) {
        List<JsonNode> places = list(json, "places", place -> place);
        Totals totals = Json.read(json, Totals.class);
        List<String> limits = list(json, "limits", limit -> Failures.oneLine(limit.asText()));
        List<Key> keys = list(json, "keys", key -> key(key, places, home));
        keys.sort(Comparator.comparing((Key key) -> key.known().isEmpty())
                .thenComparing(Key::names)
                .thenComparing(key -> key.all().messages(), Comparator.reverseOrder())
                .thenComparing(Key::id)
                .thenComparing(Key::use));
        return new KeyUses(
                totals.notLookedAt() == 0 && totals.unreadable() == 0 && limits.isEmpty(),
                Instant.ofEpochMilli(json.path("time").asLong()),
                totals,
                limits,
                keys,
                count(json.path("others")),
                places.stream()
                        .map(place -> Json.read(place, Unknown.class))
                        .filter(Unknown::isAny)
                        .toList(),
                json.path("queues-left-out").asLong());
    }

    private static <T> List<T> list(JsonNode json, String name, Function<JsonNode, T> reading) {
        return StreamSupport.stream(json.path(name).spliterator(), false)
                .map(reading)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static Key key(JsonNode key, List<JsonNode> places, HomeKeys home) {
        String name = shown(key, "key");
        String shown = name.substring(0, Math.min(name.length(), LONGEST_KEY));
        return new Key(
                shown,
                ROLES.contains(key.path("role").asText()) ? key.path("role").asText() : "recipient",
                List.copyOf(home.named(shown)),
                count(key),
                list(key, "queues", row -> {
                    JsonNode place = places.get(row.path("place").asInt());
                    return new Row(shown(place, "address"), shown(place, "queue"), count(row));
                }),
                key.path("elsewhere").asLong());
    }

    private static Count count(JsonNode json) {
        long oldest = json.path("oldest").asLong();
        return new Count(json.path("messages").asLong(), oldest <= 0 ? null : Instant.ofEpochMilli(oldest));
    }

    private static String shown(JsonNode json, String key) {
        return Failures.oneLine(json.path(key).asText());
    }

    /**
     * Asks the plugin of a broker which keys its messages need.
     *
     * @param access the broker, and the options for its management
     * @param keys names of keys that the broker counts by themselves in any case, the most important first
     * @param home the keys that may be meant
     */
    public static KeyUses at(
            BrokerAccess access,
            ManagementOptions management,
            Collection<String> keys,
            HomeKeys home,
            CommandContext context) {
        try (Progress progress = new Progress(context)) {
            progress.ofWork("keys: the broker looks at its messages");
            return management.ask(access.waiting(PATIENCE_MILLIS), broker -> ask(broker, joined(keys), home));
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

    private static KeyUses ask(Management broker, String keys, HomeKeys home) throws Exception {
        String query = call(broker, "queryKeyUse", keys).path("query").asText();
        JsonNode step;
        do {
            step = call(broker, "listKeyUse", query, 0);
        } while (!step.path("done").asBoolean());
        String text = broker.text(
                        step,
                        LONGEST_ANSWER,
                        "tells more of its keys than this command reads",
                        read -> {},
                        offset -> call(broker, "listKeyUse", query, offset))
                .orElseThrow(broker::notUnderstood);
        try {
            return of(Json.parse(text), home);
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            throw broker.notUnderstood().causedBy(e);
        }
    }

    private static JsonNode call(Management broker, String operation, Object... arguments) throws Exception {
        return broker.plugin("nothing was changed", "tells the keys of messages", operation, arguments);
    }
}
