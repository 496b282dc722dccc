/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.connection.ManagementException;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;

/** The operations of the plugin on messages that lie in queues. Not thread-safe. */
final class Backlog {
    private static final String SIGNET = "signet";

    /** The number of messages in a step, so that the progress moves. */
    private static final int STEP = 500;

    private static final int MOST_REASONS = 100;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(200);

    /** The number of steps in which the queue shows no message, until the command ends. */
    private static final int IDLE_STEPS = 10;

    private final Management broker;

    Backlog(Management broker) {
        this.broker = broker;
    }

    /** Thrown if the broker does not work on a queue, for example on a last-value queue. */
    static final class RefusedQueueException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedQueueException(String reason) {
            super(reason);
        }
    }

    /** Hears how many messages of how many are done. */
    @FunctionalInterface
    interface Listener {
        void done(int done, int all);
    }

    /**
     * The sums of all steps of a queue.
     *
     * @param remaining the messages that the queue did not show, about
     * @param hidden whether there are messages in clear among them
     */
    record Sums(int sealed, int sealedBefore, int left, int remaining, boolean hidden, List<String> reasons) {
        private static final Sums NONE = new Sums(0, 0, 0, 0, false, List.of());

        private Sums with(JsonNode step) {
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

    /** Returns the names of the queues of an address. */
    List<String> queues(String address) throws Exception {
        List<String> names = new ArrayList<>();
        call("listQueues", address)
                .path("queues")
                .forEach(queue -> names.add(queue.path("queue").asText()));
        return names;
    }

    /**
     * Works through a queue.
     *
     * @throws RefusedQueueException if the broker does not work on this queue
     */
    Sums run(String queue, boolean dryRun, Listener listener) throws Exception {
        JsonNode begun = call("beginBacklog", queue);
        if (begun.has("refused")) {
            throw new RefusedQueueException(
                    Failures.oneLine(begun.path("refused").asText()));
        }
        String job = begun.path("job").asText();
        Sums sums = Sums.NONE;
        int idle = 0;
        do {
            JsonNode step = call(dryRun ? "judgeBacklog" : "sealBacklog", job, STEP);
            Sums after = sums.with(step);
            boolean progress =
                    after.looked() > sums.looked() || step.path("browsing").asBoolean();
            idle = progress ? 0 : idle + 1;
            sums = after;
            listener.done(sums.looked(), begun.path("messages").asInt());
            if (idle > 0) {
                LockSupport.parkNanos(PAUSE);
            }
        } while (sums.remaining() > 0 && idle < IDLE_STEPS);
        return sums;
    }

    private JsonNode call(String operation, Object... arguments) throws Exception {
        try {
            return Json.parse(String.valueOf(broker.call(SIGNET, operation, arguments)));
        } catch (ManagementException e) {
            throw switch (e.reason()) {
                case LOST ->
                    CliException.unreachable(broker.access().name()
                            + ": the connection was lost; no message is lost or doubled: run the command again");
                case SILENT -> e; // as for every command
                case NO_RESOURCE, NO_OPERATION ->
                    CliException.failure(broker.access().name() + ": has no Signet that seals queues")
                            .hint("signet broker install puts this version in");
            };
        }
    }
}
