/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.connection.BrokerAccess;
import org.signetmq.cli.connection.LoginOptions.ManagementOptions;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.ReportingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet broker seal}. It works queue by queue, in small steps. */
@Command(
        name = "seal",
        description =
                "Seals the messages that already lie in the queues of an address in clear, because the address got "
                        + "its policy later, also in pages and in files of large messages. Sealed copies take their "
                        + "places at the end of the queue, in transactions: run it again after an interruption. Exits 1 if "
                        + "messages stay in clear, and lists them.",
        footer = {
            "  signet broker seal orders.eu --broker tcp://localhost:61616 --user anna --dry-run",
            "  signet broker seal orders.eu --broker tcp://localhost:61616 --user anna",
        })
public final class BrokerSeal extends ReportingCommand {
    private static final int PATIENCE_MILLIS = 60_000;

    /** The number of messages in a step, so that the progress moves. */
    private static final int STEP = 500;

    private static final int MOST_REASONS = 100;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(200);

    /** The number of steps in which the queue shows no message, until the command ends. */
    private static final int IDLE_STEPS = 10;

    @Parameters(paramLabel = "ADDRESS", description = "An address of the broker, not a pattern.")
    private String address = "";

    @Option(
            names = "--broker",
            paramLabel = "URL",
            description = "An acceptor of the broker, such as tcp://localhost:61616; default $SIGNET_BROKER.")
    private @Nullable String url;

    @Mixin
    private final ManagementOptions management = new ManagementOptions();

    @Option(names = "--dry-run", description = "Count the messages, and change nothing.")
    private boolean dryRun;

    private record Answer(String address, boolean dryRun, List<SealedQueue> queues) {
        private boolean isClear() {
            return queues.stream()
                    .anyMatch(queue -> queue.refused() != null
                            || queue.sums().left() > 0
                            || queue.sums().hidden());
        }
    }

    /**
     * The outcome of one queue.
     *
     * @param refused why the broker does not work on the queue, or null
     */
    private record SealedQueue(
            String queue,
            @JsonUnwrapped Sums sums,
            @Nullable String refused) {
        private List<String> lines(String done) {
            List<String> lines = new ArrayList<>();
            lines.add(
                    refused != null
                            ? queue + ": refused: " + refused
                            : queue + ": " + sums.sealed() + " " + done + ", " + sums.sealedBefore()
                                    + " sealed before, " + sums.left() + " left in clear, " + sums.gone()
                                    + " delivered or with a consumer");
            sums.reasons().forEach(reason -> lines.add("    " + reason));
            if (sums.hidden()) {
                lines.add("    messages in clear are with consumers, or in pages behind others that fill the broker's "
                        + "memory for pages (max-read-page-bytes); run the command again when those are consumed");
            }
            return lines;
        }
    }

    @Override
    public Integer call() throws IOException {
        BrokerAccess access = management.to(url, context).waiting(PATIENCE_MILLIS);
        Answer answer = management.ask(access, this::seal);
        report(
                answer,
                () -> answer.queues().stream()
                        .flatMap(queue -> queue.lines(dryRun ? "would be sealed" : "sealed").stream())
                        .toList());
        return answer.isClear() ? ExitCode.FAILURE : ExitCode.OK;
    }

    private Answer seal(Management broker) throws Exception {
        List<SealedQueue> queues = new ArrayList<>();
        try (Progress progress = new Progress(context)) {
            for (JsonNode queue : call(broker, "listQueues", address).path("queues")) {
                queues.add(seal(queue.path("queue").asText(), broker, progress));
            }
        }
        if (queues.isEmpty()) {
            throw CliException.failure(
                            broker.access().name() + ": no queue has the address '" + Failures.oneLine(address) + "'")
                    .hint("name an address as signet policy explain does, without a pattern");
        }
        return new Answer(address, dryRun, queues);
    }

    /** Works through a queue. The broker refuses some, for example a last-value queue. */
    private SealedQueue seal(String name, Management broker, Progress progress) throws Exception {
        String shown = Failures.oneLine(name);
        JsonNode begun = call(broker, "beginBacklog", name);
        if (begun.has("refused")) {
            return new SealedQueue(
                    shown, Sums.NONE, Failures.oneLine(begun.path("refused").asText()));
        }
        String job = begun.path("job").asText();
        int all = begun.path("messages").asInt();
        Sums sums = Sums.NONE;
        int idle = 0;
        do {
            JsonNode step = call(broker, dryRun ? "judgeBacklog" : "sealBacklog", job, STEP);
            Sums after = sums.with(step);
            boolean moves =
                    after.looked() > sums.looked() || step.path("browsing").asBoolean();
            idle = moves ? 0 : idle + 1;
            sums = after;
            progress.show(shown + ": " + sums.looked() + " of " + all + (all == 1 ? " message" : " messages"));
            if (idle > 0) {
                LockSupport.parkNanos(PAUSE);
            }
        } while (sums.gone() > 0 && idle < IDLE_STEPS);
        return new SealedQueue(shown, sums, null);
    }

    private static JsonNode call(Management broker, String operation, Object... arguments) throws Exception {
        return broker.plugin(
                "no message is lost or doubled: run the command again", "seals queues", operation, arguments);
    }

    /**
     * The sums of all steps of a queue.
     *
     * @param sealed the messages that were sealed, or would be
     * @param sealedBefore those that needed no seal
     * @param left those that stay in clear
     * @param gone those that were delivered meanwhile, or are with a consumer, about
     * @param hidden whether some of those are in clear: consumers have them, or pages that the broker does not read now
     * @param reasons why messages stay in clear; not for all of them
     */
    private record Sums(int sealed, int sealedBefore, int left, int gone, boolean hidden, List<String> reasons) {
        private static final Sums NONE = new Sums(0, 0, 0, 0, false, List.of());

        Sums with(JsonNode step) {
            List<String> all = new ArrayList<>(reasons);
            all.addAll(BrokerSeal.reasons(step));
            return new Sums(
                    sealed + step.path("sealed").asInt(),
                    sealedBefore + step.path("sealed-before").asInt(),
                    left + step.path("left").asInt(),
                    step.path("remaining").asInt(),
                    step.path("hidden").asBoolean(),
                    List.copyOf(all.subList(0, Math.min(all.size(), MOST_REASONS))));
        }

        private int looked() {
            return sealed + sealedBefore + left;
        }
    }

    /** Returns the texts of the reasons in an answer. */
    private static List<String> reasons(JsonNode answer) {
        List<String> reasons = new ArrayList<>();
        answer.path("reasons")
                .forEach(reason ->
                        reasons.add("message " + reason.path("message").asLong() + ": "
                                + Failures.oneLine(reason.path("reason").asText())));
        return reasons;
    }
}
