/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.keys.HomeKeys.Known;
import org.signetmq.cli.command.keys.KeyUses.Count;
import org.signetmq.cli.command.keys.KeyUses.KeyUseQuery;
import org.signetmq.cli.command.keys.KeyUses.Unknown;
import org.signetmq.cli.connection.ManagementOptions;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet doctor keys}. */
@Command(
        name = "keys",
        description = {
            "Tells which keys the messages on a running broker need: per key the addresses, how many messages, and the oldest.",
            "Opens and changes nothing. Exits 1 if the broker could not look at all messages."
        },
        footer = {
            "  signet doctor keys --broker tcp://localhost:61616 --user anna",
            "  signet doctor keys --broker tcp://localhost:61616 --user anna --json",
        })
public final class KeysCommand extends ReportingCommand {
    @Option(
            names = "--broker",
            paramLabel = "URL",
            description = "An acceptor of the broker, such as tcp://localhost:61616; default $SIGNET_BROKER.")
    private @Nullable String broker;

    @Mixin
    private final ManagementOptions management = new ManagementOptions();

    @Override
    public Integer call() throws IOException {
        HomeKeys known = known();
        KeyUses uses = KeyUseQuery.at(management.to(broker, context), management, known.names(), context);
        KeyUseReport report = new KeyUseReport(uses, known);
        report(report.answer(), report::lines);
        return uses.isComplete() ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** An administrator of a remote broker needs no home here. */
    private HomeKeys known() throws IOException {
        boolean isMeant = context.homeOption().isPresent()
                || !context.environment("SIGNET_HOME").isEmpty()
                || Files.isDirectory(context.uncheckedHome().root());
        return isMeant ? HomeKeys.of(context.existingHome()) : HomeKeys.none();
    }

    /** Shows the keys that messages need, as text and as JSON. */
    private static final class KeyUseReport {
        private static final String NONE = "-";
        private static final int SHORT_ID = 16;

        private final KeyUses uses;
        private final List<Named> keys;

        /** A key with the names that the home has for it. */
        private record Named(KeyUses.Key key, List<Known> known) {
            private String id() {
                return known.isEmpty() ? key.name() : known.get(0).keyId().substring(0, SHORT_ID);
            }

            private String names() {
                return known.isEmpty()
                        ? NONE
                        : known.stream().map(Known::toString).collect(Collectors.joining(", "));
            }

            private String role() {
                return key.isSigner() ? "signed by" : "encrypted for";
            }
        }

        /**
         * The answer as JSON.
         *
         * @param complete whether the broker looked at each message and could read it
         */
        record Answer(
                boolean complete,
                String time,
                long queues,
                long messages,
                long clear,
                long notUnderstood,
                long unreadable,
                long notLookedAt,
                List<String> limits,
                List<KeyRow> keys,
                CountRow others,
                List<Unknown> unknown,
                long unknownLeftOut) {}

        /** A number of messages in the answer. */
        record CountRow(long messages, @Nullable String oldest) {
            static CountRow of(Count count) {
                return new CountRow(count.messages(), count.oldest() == null ? null : String.valueOf(count.oldest()));
            }
        }

        /** A key in the answer. */
        record KeyRow(
                String key,
                String role,
                List<Known> known,
                long messages,
                @Nullable String oldest,
                List<QueueRow> queues,
                long elsewhere) {}

        /** A queue with messages for a key in the answer. */
        record QueueRow(
                String address,
                String queue,
                long messages,
                @Nullable String oldest) {}

        KeyUseReport(KeyUses uses, HomeKeys home) {
            this.uses = uses;
            this.keys = uses.keys().stream()
                    .map(key -> new Named(key, List.copyOf(home.named(key.name()))))
                    .sorted(Comparator.comparing((Named named) -> named.known().isEmpty())
                            .thenComparing(Named::names)
                            .thenComparing(named -> named.key().all().messages(), Comparator.reverseOrder())
                            .thenComparing(Named::id)
                            .thenComparing(Named::role))
                    .toList();
        }

        Answer answer() {
            KeyUses.Totals totals = uses.totals();
            return new Answer(
                    uses.isComplete(),
                    uses.time().toString(),
                    totals.queues(),
                    totals.messages(),
                    totals.clear(),
                    totals.notUnderstood(),
                    totals.unreadable(),
                    totals.notLookedAt(),
                    uses.limits(),
                    keys.stream().map(KeyUseReport::row).toList(),
                    CountRow.of(uses.others()),
                    uses.unknown(),
                    uses.unknownLeftOut());
        }

        private static KeyRow row(Named named) {
            KeyUses.Key key = named.key();
            CountRow all = CountRow.of(key.all());
            return new KeyRow(
                    key.name(),
                    key.isSigner() ? "signer" : "recipient",
                    named.known(),
                    all.messages(),
                    all.oldest(),
                    key.queues().stream()
                            .map(row -> {
                                CountRow count = CountRow.of(row.messages());
                                return new QueueRow(row.address(), row.queue(), count.messages(), count.oldest());
                            })
                            .toList(),
                    key.elsewhere());
        }

        List<String> lines() {
            KeyUses.Totals totals = uses.totals();
            List<String> lines = new ArrayList<>();
            lines.add("looked at " + count(totals.messages(), "message", "messages") + " in "
                    + count(totals.queues(), "queue", "queues") + ": " + totals.clear() + " in clear, "
                    + totals.notUnderstood() + " not understood, " + totals.unreadable() + " unreadable; "
                    + totals.notLookedAt() + " not looked at");
            if (!keys.isEmpty()) {
                lines.addAll(table().lines());
            }
            if (uses.others().messages() > 0) {
                lines.add("others: " + count(uses.others().messages(), "message names", "messages name")
                        + " further keys, beyond the limit of the table");
            }
            uses.unknown().forEach(queue -> lines.add(line(queue)));
            if (uses.unknownLeftOut() > 0) {
                lines.add("left out: " + count(uses.unknownLeftOut(), "further queue", "further queues")
                        + " with messages whose keys are not known");
            }
            uses.limits().forEach(limit -> lines.add("limit: " + limit));
            lines.add(
                    uses.isComplete()
                            ? "complete: the broker looked at each message"
                            : "NOT COMPLETE: other keys may be needed, too");
            return lines;
        }

        private TextTable table() {
            TextTable table = TextTable.of("KEY", "NAME", "USE", "ADDRESS", "QUEUE", "MESSAGES", "OLDEST", "AGE");
            for (Named named : keys) {
                for (KeyUses.Row row : named.key().queues()) {
                    row(table, named, row.address(), row.queue(), row.messages());
                }
                if (named.key().elsewhere() > 0) {
                    row(
                            table,
                            named,
                            NONE,
                            "other queues",
                            new Count(named.key().elsewhere(), null));
                }
            }
            return table;
        }

        private void row(TextTable table, Named named, String address, String queue, Count count) {
            Instant oldest = count.oldest();
            table.row(
                    named.id(),
                    named.names(),
                    named.role(),
                    address,
                    queue,
                    String.valueOf(count.messages()),
                    oldest == null ? NONE : oldest.toString(),
                    oldest == null ? NONE : age(oldest, uses.time()));
        }

        /** Returns an age in its largest whole unit. The producer may have given a time that is still to come. */
        static String age(Instant oldest, Instant now) {
            Duration age = oldest.isBefore(now) ? Duration.between(oldest, now) : Duration.ZERO;
            if (age.toDays() > 0) {
                return count(age.toDays(), "day", "days");
            }
            if (age.toHours() > 0) {
                return count(age.toHours(), "hour", "hours");
            }
            return age.toMinutes() > 0
                    ? count(age.toMinutes(), "minute", "minutes")
                    : count(age.toSeconds(), "second", "seconds");
        }

        private static String line(Unknown queue) {
            return "address " + queue.address() + ", queue " + queue.queue() + ": " + queue.notUnderstood()
                    + " not understood, " + queue.unreadable() + " unreadable, " + queue.notLookedAt()
                    + " not looked at";
        }

        private static String count(long number, String one, String several) {
            return number + " " + (number == 1 ? one : several);
        }
    }
}
