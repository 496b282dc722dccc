/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.keys;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import org.signetmq.cli.connection.BrokerAccess;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.connection.ManagementException;
import org.signetmq.cli.connection.ManagementOptions;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.Progress;

/** Asks the plugin of a broker which keys its messages need. Not thread-safe. */
public final class KeyUseQuery {
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
            return management.ask(access.waiting(PATIENCE_MILLIS), broker -> new KeyUseQuery(broker).run(joined(keys)));
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
            String part = call("listKeyUse", query, text.length()).path("text").asText();
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
