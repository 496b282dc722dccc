/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.signetmq.perf.clients.Participants;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.result.Result;

final class BlockTest {
    private static final Result CLIENT = Result.EMPTY
            .with(Participants.ROUND_TRIPS, 1000)
            .with(Participants.SECONDS, 2.0)
            .with(Participants.UNWRAPS, 500)
            .with(Readings.KEYS, 100)
            .with("p50_us", 10)
            .with("p99_us", 20)
            .with("p999_us", 30)
            .with(Readings.CPU, 100.0)
            .with(Readings.GC, 4)
            .with(Readings.JIT, 6);
    private static final Result BROKER =
            Result.EMPTY.with(Readings.CPU, 300.0).with(Readings.GC, 2).with(Readings.JIT, 8);

    @Test
    void figures_areOfARoundTrip_aMessageOrASecond() {
        Result figures = Block.figures(CLIENT.with(Readings.WIRE, 8_000_000), BROKER.with(Readings.DISK, 10_000_000));

        assertThat(figures.json())
                .hasToString(
                        "{'round_trips':1000.0,'round_trips_per_s':500.0,'p50_us':10.0,'p99_us':20.0,'p999_us':30.0,"
                                        .replace('\'', '"')
                                + "'cpu_ms_per_round_trip':{'broker':0.3,'client':0.1},".replace('\'', '"')
                                + "'disk_bytes_per_message':5000.0,'wire_bytes_per_message':2000.0,".replace('\'', '"')
                                + "'unwraps_per_message':0.25,'keys_per_message':0.05,'gc_ms_per_s':{'broker':1.0,'client':2.0},"
                                        .replace('\'', '"')
                                + "'jit_ms_per_s':{'broker':4.0,'client':3.0}}".replace('\'', '"'));
    }

    @Test
    void keys_areThoseOfBrokersAndClientsTogether() {
        Result figures = Block.figures(CLIENT, BROKER.with(Readings.KEYS, 300));

        assertThat(figures.number("keys_per_message")).isEqualTo(0.2);
    }

    @Test
    void figuresThatTheSystemDoesNotTell_areMissing() {
        Result figures = Block.figures(CLIENT, BROKER);

        assertThat(figures.has("disk_bytes_per_message")).isFalse();
        assertThat(figures.has("wire_bytes_per_message")).isFalse();
        assertThat(figures.number(Block.RATE)).isEqualTo(500);
    }
}
