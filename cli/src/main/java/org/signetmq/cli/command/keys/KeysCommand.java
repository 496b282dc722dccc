/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.keys.KeyUses.Count;
import org.signetmq.cli.command.keys.KeyUses.Row;
import org.signetmq.cli.connection.LoginOptions.ManagementOptions;
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
        KeyUses uses = KeyUses.at(management.to(broker, context), management, known.names(), known, context);
        report(uses, () -> lines(uses));
        return uses.complete() ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** An administrator of a remote broker needs no home here. */
    private HomeKeys known() throws IOException {
        boolean isMeant = context.homeOption().isPresent()
                || !context.environment("SIGNET_HOME").isEmpty()
                || Files.isDirectory(context.uncheckedHome().root());
        return isMeant ? HomeKeys.of(context.existingHome()) : HomeKeys.none();
    }

    private static List<String> lines(KeyUses uses) {
        KeyUses.Totals totals = uses.totals();
        List<String> lines = new ArrayList<>();
        lines.add("looked at " + TextTable.count(totals.messages(), "message", "messages") + " in "
                + TextTable.count(totals.queues(), "queue", "queues") + ": " + totals.clear() + " in clear, "
                + totals.notUnderstood() + " not understood, " + totals.unreadable() + " unreadable; "
                + totals.notLookedAt() + " not looked at");
        if (!uses.keys().isEmpty()) {
            lines.addAll(table(uses));
        }
        if (uses.others().messages() > 0) {
            lines.add("others: " + TextTable.count(uses.others().messages(), "message names", "messages name")
                    + " further keys, beyond the limit of the table");
        }
        uses.unknown()
                .forEach(queue -> lines.add("address " + queue.address() + ", queue " + queue.queue() + ": "
                        + queue.notUnderstood() + " not understood, " + queue.unreadable() + " unreadable, "
                        + queue.notLookedAt() + " not looked at"));
        if (uses.unknownLeftOut() > 0) {
            lines.add("left out: " + TextTable.count(uses.unknownLeftOut(), "further queue", "further queues")
                    + " with messages whose keys are not known");
        }
        uses.limits().forEach(limit -> lines.add("limit: " + limit));
        lines.add(
                uses.complete()
                        ? "complete: the broker looked at each message"
                        : "NOT COMPLETE: other keys may be needed, too");
        return lines;
    }

    private static List<String> table(KeyUses uses) {
        TextTable table = TextTable.of("KEY", "NAME", "USE", "ADDRESS", "QUEUE", "MESSAGES", "OLDEST", "AGE");
        for (KeyUses.Key key : uses.keys()) {
            List<Row> rows = new ArrayList<>(key.queues());
            if (key.elsewhere() > 0) {
                rows.add(new Row("-", "other queues", new Count(key.elsewhere(), null)));
            }
            for (Row row : rows) {
                Instant oldest = row.count().oldest();
                table.row(
                        key.id(),
                        key.names(),
                        key.use(),
                        row.address(),
                        row.queue(),
                        row.count().messages(),
                        oldest,
                        oldest == null ? null : age(oldest, uses.time()));
            }
        }
        return table.lines();
    }

    /** Returns an age in its largest whole unit. The producer may have given a time that is still to come. */
    private static String age(Instant oldest, Instant now) {
        Duration age = oldest.isBefore(now) ? Duration.between(oldest, now) : Duration.ZERO;
        if (age.toDays() > 0) {
            return TextTable.count(age.toDays(), "day", "days");
        }
        if (age.toHours() > 0) {
            return TextTable.count(age.toHours(), "hour", "hours");
        }
        return age.toMinutes() > 0
                ? TextTable.count(age.toMinutes(), "minute", "minutes")
                : TextTable.count(age.toSeconds(), "second", "seconds");
    }
}
