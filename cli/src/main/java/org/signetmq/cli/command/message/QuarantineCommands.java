/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.connection.LoginOptions.ManagementOptions;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.OutputOptions;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.console.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group {@code signet quarantine}. Its commands ask the plugin of a running broker. */
@Command(
        name = "quarantine",
        description = "Looks after messages of a broker that a consumer could not open, or that fit no policy.")
public final class QuarantineCommands extends Subcommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(ListMessages.class, Show.class, Retry.class, Export.class, Discard.class);
    }

    /** A command with a broker. */
    abstract static class Asking extends ReportingCommand {
        @Option(
                names = "--broker",
                paramLabel = "URL",
                description = "An acceptor of the broker, such as tcp://localhost:61616; default $SIGNET_BROKER.")
        private @Nullable String url;

        @Mixin
        private final ManagementOptions management = new ManagementOptions();

        final <T> T ask(Management.Questions<T> questions) throws IOException {
            return management.ask(management.to(url, context), questions);
        }

        static JsonNode call(Management broker, String operation, Object... arguments) throws Exception {
            return broker.plugin(
                    "look with signet quarantine list what was done", "knows a quarantine", operation, arguments);
        }
    }

    /** The options that select messages by their notes. */
    static final class Filter {
        @Option(names = "--reason", paramLabel = "R", description = "Only messages with this reason.")
        private String reason = "";

        @Option(names = "--address", paramLabel = "A", description = "Only messages that lay at this address.")
        private String address = "";

        @Option(names = "--queue", paramLabel = "Q", description = "Only messages that lay in this queue.")
        private String queue = "";

        private boolean isGiven() {
            return !(reason + address + queue).isEmpty();
        }

        /** Adds at most so many messages, and returns the last answer, which has {@code next} if there are more. */
        private JsonNode addTo(ArrayNode messages, int most, Management broker, Progress progress) throws Exception {
            JsonNode answer;
            int offset = 0;
            do {
                answer = Asking.call(broker, "listQuarantine", reason, address, queue, offset);
                for (JsonNode message : answer.path("messages")) {
                    if (messages.size() >= most) {
                        return ((ObjectNode) answer).put("next", offset);
                    }
                    messages.add(message);
                }
                offset = answer.path("next").asInt(0);
                progress.show(messages.size() + " messages found");
            } while (offset > 0 && messages.size() < most);
            return answer;
        }
    }

    private static @Nullable String text(JsonNode message, String key) {
        return message.hasNonNull(key) ? Failures.oneLine(message.path(key).asText()) : null;
    }

    private static String time(JsonNode message) {
        return Instant.ofEpochMilli(message.path("time").asLong())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    /** The command {@code signet quarantine list}. */
    @Command(
            name = "list",
            description = "Lists the messages in quarantine: why, from where, since when, and by whom signed as far as "
                    + "known. What a note says is its sender's claim.",
            footer = {
                "  signet quarantine list --broker tcp://localhost:61616 --user anna",
                "  signet quarantine list --broker tcp://localhost:61616 --user anna --reason malformed --json",
            })
    static final class ListMessages extends Asking {
        @Mixin
        private final Filter filter = new Filter();

        @Option(
                names = "--limit",
                paramLabel = "N",
                description = "How many messages at most, from the first; default 100.")
        private int limit = 100;

        @Override
        public Integer call() throws IOException {
            if (limit < 1) {
                throw usage("--limit: must be 1 or more");
            }
            ObjectNode result = Json.object();
            ArrayNode messages = result.putArray("messages");
            try (Progress progress = new Progress(context)) {
                JsonNode last = ask(broker -> filter.addTo(messages, limit, broker, progress));
                result.put("more", last.path("next").asInt(0) > 0).set("queues", last.path("queues"));
            }
            report(result, () -> lines(messages));
            if (!json) {
                long all = 0;
                for (JsonNode queue : result.path("queues")) {
                    all += queue.path("messages").asLong();
                }
                context.say(messages.size() + " shown of " + all + " in quarantine");
            }
            return ExitCode.OK;
        }

        private static List<String> lines(ArrayNode messages) {
            if (messages.isEmpty()) {
                return List.of();
            }
            TextTable table = TextTable.of("ID", "TIME", "REASON", "ADDRESS", "QUEUE", "SIGNER");
            for (JsonNode message : messages) {
                table.row(
                        message.path("id").asText(),
                        time(message),
                        text(message, "reason"),
                        text(message, "address"),
                        text(message, "queue"),
                        text(message, "signer"));
            }
            return table.lines();
        }
    }

    /** The command {@code signet quarantine show}. */
    @Command(
            name = "show",
            description = "Shows a message in quarantine: its note, its properties, and what its envelope says of "
                    + "itself. Needs no key and verifies nothing.",
            footer = {"  signet quarantine show 2147491201 --broker tcp://localhost:61616 --user anna"})
    static final class Show extends Asking {
        @Parameters(paramLabel = "ID", description = "The number that list shows.")
        private long id;

        @Override
        public Integer call() throws IOException {
            JsonNode message = ask(broker -> call(broker, "queryQuarantined", id));
            report(message, () -> lines(message));
            return ExitCode.OK;
        }

        private static void addTexts(String indent, JsonNode object, LabelledLines lines) {
            object.properties().stream()
                    .filter(each -> each.getValue().isValueNode())
                    .map(each -> each.getKey())
                    .forEach(key -> lines.add(
                            indent + Failures.oneLine(key), key.equals("time") ? time(object) : text(object, key)));
        }

        private static List<String> lines(JsonNode message) {
            LabelledLines lines = new LabelledLines(14);
            addTexts("", message, lines);
            JsonNode envelope = message.path("envelope");
            addTexts("  ", envelope, lines);
            envelope.path("recipients")
                    .forEach(recipient -> lines.add(
                            "  recipient", text(recipient, "identifier") + ", " + text(recipient, "key-encryption")));
            message.path("properties")
                    .properties()
                    .forEach(property -> lines.add(
                            "property",
                            Failures.oneLine(property.getKey()) + " = "
                                    + Failures.oneLine(property.getValue().asText())));
            return lines.lines();
        }
    }

    /** A command that handles messages by their numbers, or those that a filter selects. */
    abstract static class Handling extends Asking {
        /** The number of messages in a request. */
        private static final int STEP = 50;

        @Parameters(arity = "0..*", paramLabel = "ID", description = "The numbers that list shows.")
        private List<Long> ids = new ArrayList<>();

        @Mixin
        private final Filter filter = new Filter();

        @Option(names = "--all", description = "All messages in quarantine, without a filter.")
        private boolean all;

        private record Left(long id, String reason) {}

        private record Answer(List<Long> done, List<Left> left) {}

        /** Handles the selected messages, and exits 1 if some stay. */
        final int handle(String operation, String done, boolean dryRun) throws IOException {
            int ways = (ids.isEmpty() ? 0 : 1) + (filter.isGiven() ? 1 : 0) + (all ? 1 : 0);
            if (ways != 1) {
                throw usage("name messages by their numbers, by a filter such as --reason, or by --all");
            }
            Answer answer;
            try (Progress progress = new Progress(context)) {
                answer = ask(broker -> {
                    List<Long> selected = selected(broker, progress);
                    if (dryRun) {
                        throw CliException.usage(
                                selected.size() + " selected; --yes: is needed to delete them for ever");
                    }
                    return handle(selected, broker, operation, done, progress);
                });
            }
            report(answer, () -> {
                List<String> lines = new ArrayList<>(List.of(answer.done().size() + " " + done));
                answer.left().forEach(left -> lines.add("message " + left.id() + " stays: " + left.reason()));
                return lines;
            });
            return answer.left().isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
        }

        private List<Long> selected(Management broker, Progress progress) throws Exception {
            if (!ids.isEmpty()) {
                return ids;
            }
            ArrayNode messages = Json.object().putArray("messages");
            JsonNode unused = filter.addTo(messages, Integer.MAX_VALUE, broker, progress);
            List<Long> found = new ArrayList<>();
            messages.forEach(message -> found.add(message.path("id").asLong()));
            return found;
        }

        private static Answer handle(
                List<Long> selected, Management broker, String operation, String done, Progress progress)
                throws Exception {
            List<Long> waiting = new ArrayList<>(selected);
            Answer answer = new Answer(new ArrayList<>(), new ArrayList<>());
            while (!waiting.isEmpty()) {
                List<Long> step = waiting.subList(0, Math.min(STEP, waiting.size()));
                String ids = step.stream().map(String::valueOf).collect(Collectors.joining(" "));
                step.clear();
                JsonNode outcome = call(broker, operation, ids);
                if (outcome.path(done).isEmpty() && outcome.path("left").isEmpty()) {
                    throw broker.notUnderstood();
                }
                outcome.path(done).forEach(id -> answer.done().add(id.asLong()));
                outcome.path("left")
                        .forEach(left -> answer.left()
                                .add(new Left(
                                        left.path("id").asLong(),
                                        Failures.oneLine(left.path("reason").asText()))));
                outcome.path("later").forEach(id -> waiting.add(id.asLong()));
                progress.show(answer.done().size() + " " + done + ", " + waiting.size() + " to go");
            }
            return answer;
        }
    }

    /** The command {@code signet quarantine retry}. */
    @Command(
            name = "retry",
            description = "Puts messages back under their original addresses, each into its original queue, as they "
                    + "arrived there: after the cause was mended. One that still fits no policy stays. Exits 1 if some "
                    + "stay, and says why.",
            footer = {
                "  signet quarantine retry 2147491201 --broker tcp://localhost:61616 --user anna",
                "  signet quarantine retry --reason signer-rejected --broker tcp://localhost:61616 --user anna",
            })
    static final class Retry extends Handling {
        @Override
        public Integer call() throws IOException {
            return handle("retryQuarantined", "retried", false);
        }
    }

    /** The command {@code signet quarantine discard}. */
    @Command(
            name = "discard",
            description = "Deletes messages in quarantine for ever. The audit of the broker keeps the digest of each. "
                    + "Exits 1 if some stay, and says why.",
            footer = {
                "  signet quarantine discard 2147491201 --yes --broker tcp://localhost:61616 --user anna",
                "  signet quarantine discard --address orders.eu --yes --broker tcp://localhost:61616 --user anna",
            })
    static final class Discard extends Handling {
        @Option(names = "--yes", description = "Delete them; without it the command says how many they are.")
        private boolean yes;

        @Override
        public Integer call() throws IOException {
            return handle("discardQuarantined", "discarded", !yes);
        }
    }

    /** The command {@code signet quarantine export}. */
    @Command(
            name = "export",
            description = "Writes the bytes of a message in quarantine as they are, for message inspect and open. The "
                    + "message stays.",
            footer = {
                "  signet quarantine export 2147491201 --out bad.cms --broker tcp://localhost:61616 --user anna",
                "  signet message inspect --in bad.cms",
            })
    static final class Export extends Asking {
        @Parameters(paramLabel = "ID", description = "The number that list shows.")
        private long id;

        @Mixin
        private final OutputOptions output = new OutputOptions();

        @Override
        public Integer call() throws IOException {
            output.check(context);
            try (Progress progress = new Progress(context)) {
                output.write(context, out -> {
                    Long unused = ask(broker -> {
                        var counting = progress.ofBytes("exported", -1);
                        int offset = 0;
                        JsonNode part;
                        do {
                            part = call(broker, "exportQuarantined", id, offset);
                            byte[] bytes = Base64.getDecoder()
                                    .decode(part.path("bytes").asText());
                            if (part.path("offset").asInt(-1) != offset
                                    || (bytes.length == 0 && part.path("more").asBoolean())) {
                                throw broker.notUnderstood();
                            }
                            out.write(bytes);
                            offset += bytes.length;
                            counting.accept(offset);
                        } while (part.path("more").asBoolean());
                        return (long) offset;
                    });
                });
            }
            return ExitCode.OK;
        }
    }
}
