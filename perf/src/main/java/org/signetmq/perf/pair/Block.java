/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import org.signetmq.perf.clients.Participants;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.result.Result;

/** The fields of a measured block: a stretch of load on one pair. An uploaded file counts as a round trip. */
public final class Block {
    public static final String RATE = "round_trips_per_s";
    public static final String BROKER_CPU = "cpu_ms_per_round_trip.broker";
    public static final String CLIENT_CPU = "cpu_ms_per_round_trip.client";

    /** Processor time of a file system that does not work in the kernel. */
    public static final String DISK_CPU = "cpu_ms_per_round_trip.disk";

    /** Milliseconds of compilation in a second of the broker. */
    public static final String BROKER_JIT = "jit_ms_per_s.broker";
    /** Milliseconds of compilation in a second of the clients. */
    public static final String CLIENT_JIT = "jit_ms_per_s.client";

    /** Files that waited for a data key because none was ready, as a share of all. */
    public static final String KEY_WAITS = "key_waits_per_file";
    /** Megabytes that the broker's heap has after a block, when garbage is collected. */
    public static final String BROKER_HEAP = "heap_mb.broker";

    private static final int USUAL_MESSAGES = 2;

    private Block() {}

    /**
     * Returns the figures of a block, per round trip, per message or per second.
     *
     * @param client what the client process measured and used
     * @param broker what the broker processes and their disk used
     */
    static Result figures(Result client, Result broker) {
        double roundTrips = client.number(Participants.ROUND_TRIPS);
        double seconds = client.number(Participants.SECONDS);
        double messages =
                client.has(Participants.MESSAGES) ? client.number(Participants.MESSAGES) : roundTrips * USUAL_MESSAGES;
        double keys = client.number(Readings.KEYS) + (broker.has(Readings.KEYS) ? broker.number(Readings.KEYS) : 0);
        double busy = client.has(Participants.BUSY) ? client.number(Participants.BUSY) : seconds;
        return Result.EMPTY
                .with(Participants.ROUND_TRIPS, roundTrips)
                .with(RATE, roundTrips / busy)
                .with("p50_us", client.number("p50_us"))
                .with("p99_us", client.number("p99_us"))
                .with("p999_us", client.number("p999_us"))
                .with(BROKER_CPU, broker.number(Readings.CPU) / roundTrips)
                .with(CLIENT_CPU, client.number(Readings.CPU) / roundTrips)
                .with(DISK_CPU, broker.number(Readings.DAEMON) / roundTrips)
                .with("disk_bytes_per_message", broker.number(Readings.DISK) / messages)
                .with("wire_bytes_per_message", client.number(Readings.WIRE) / messages / 2) // to the broker, and on
                .with("unwraps_per_message", client.number(Participants.UNWRAPS) / messages)
                .with("keys_per_message", keys / messages)
                .with("gc_ms_per_s.broker", broker.number(Readings.GC) / seconds)
                .with("gc_ms_per_s.client", client.number(Readings.GC) / seconds)
                .with(BROKER_JIT, broker.number(Readings.JIT) / seconds)
                .with(CLIENT_JIT, client.number(Readings.JIT) / seconds);
    }
}
