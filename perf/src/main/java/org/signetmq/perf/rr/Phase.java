/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

/**
 * What came of a part of a block.
 *
 * @param roundTrips completed
 * @param nanos it took
 * @param latency of the round trips
 * @param cpu of the two processes
 */
record Phase(long roundTrips, long nanos, Latency latency, Cpu cpu) {
    /** Of half, and of all but a hundredth of the round trips, in microseconds. */
    record Latency(double p50, double p99) {}

    /** Time that a process ran on processors, in milliseconds. */
    record Cpu(double broker, double client) {}

    Figures figures() {
        if (roundTrips == 0) {
            throw new IllegalStateException("phase: no round trip completed within " + nanos / 1_000_000 + " ms");
        }
        return new Figures(
                roundTrips * 1e9 / nanos, latency, new Cpu(cpu.broker() / roundTrips, cpu.client() / roundTrips));
    }

    /**
     * A phase by the second and by the round trip.
     *
     * @param rate round trips per second
     * @param latency of the round trips
     * @param cpu per round trip
     */
    record Figures(double rate, Latency latency, Cpu cpu) {
        double cpuOfBoth() {
            return cpu.broker() + cpu.client();
        }
    }
}
