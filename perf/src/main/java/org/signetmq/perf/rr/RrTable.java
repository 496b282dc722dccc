/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.PrintStream;
import java.util.OptionalDouble;

/** Results as a table of medians. */
final class RrTable {
    private final Results results;

    RrTable(Results results) {
        this.results = results;
    }

    void print(PrintStream out) {
        out.println("sealed by the broker's plugin, opened by the client library; journal NIO with datasync;"
                + " none: no policy, plain Artemis client");
        out.println("medians of the runs; of none: relative to the blocks of none right before and after");
        out.printf(
                "%-30s %7s %6s %9s %7s %6s %6s %8s %8s %9s %9s %7s %7s%n",
                "row",
                "clients",
                "queues",
                "trips/s",
                "of none",
                "least",
                "most",
                "p50 us",
                "p99 us",
                "broker ms",
                "client ms",
                "cpu",
                "of unl.");
        for (Row row : results.rows()) {
            Spread share = row.spread(Sample::shareOfNone);
            OptionalDouble ofUnlimited = results.shareOfUnlimited(row);
            out.printf(
                    "%-30s %7d %6d %9.0f %7.3f %6.3f %6.3f %8.0f %8.0f %9.4f %9.4f %7.3f %7s%n",
                    row.variant().label(),
                    row.load().clients(),
                    row.load().queues(),
                    row.median(sample -> sample.figures().rate()),
                    share.median(),
                    share.min(),
                    share.max(),
                    row.median(sample -> sample.figures().latency().p50()),
                    row.median(sample -> sample.figures().latency().p99()),
                    row.median(sample -> sample.figures().cpu().broker()),
                    row.median(sample -> sample.figures().cpu().client()),
                    row.median(Sample::cpuOfNone),
                    ofUnlimited.isPresent() ? String.format("%.3f", ofUnlimited.getAsDouble()) : "");
        }
        printCold(out);
    }

    private void printCold(PrintStream out) {
        out.printf("%nright after connecting: no client knows a key yet%n");
        out.printf(
                "%-30s %7s %6s %9s %7s %8s %8s %9s %9s %7s%n",
                "row", "clients", "queues", "trips/s", "of none", "p50 us", "p99 us", "broker ms", "client ms", "cpu");
        for (Row row : results.rows()) {
            out.printf(
                    "%-30s %7d %6d %9.0f %7.3f %8.0f %8.0f %9.4f %9.4f %7.3f%n",
                    row.variant().label(),
                    row.load().clients(),
                    row.load().queues(),
                    row.coldMedian(sample -> sample.figures().rate()),
                    row.coldMedian(Sample::shareOfNone),
                    row.coldMedian(sample -> sample.figures().latency().p50()),
                    row.coldMedian(sample -> sample.figures().latency().p99()),
                    row.coldMedian(sample -> sample.figures().cpu().broker()),
                    row.coldMedian(sample -> sample.figures().cpu().client()),
                    row.coldMedian(Sample::cpuOfNone));
        }
    }
}
