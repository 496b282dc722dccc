/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What one requester saw: written by its thread, read after that has ended. */
final class Latencies {
    private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(2);
    private static final int DIGITS = 3;

    private final Histogram cold = new Histogram(LONGEST_MICROS, DIGITS);
    private final Histogram warm = new Histogram(LONGEST_MICROS, DIGITS);

    void record(Watch.Stage stage, long nanos) {
        long micros = Math.min(LONGEST_MICROS, nanos / 1_000);
        switch (stage) {
            case COLD -> cold.recordValue(micros);
            case WARM -> warm.recordValue(micros);
            case CONNECTING, OVER -> {}
        }
    }

    static Histogram cold(List<Latencies> all) {
        return sum(all.stream().map(one -> one.cold).toList());
    }

    static Histogram warm(List<Latencies> all) {
        return sum(all.stream().map(one -> one.warm).toList());
    }

    private static Histogram sum(List<Histogram> histograms) {
        Histogram sum = new Histogram(LONGEST_MICROS, DIGITS);
        histograms.forEach(sum::add);
        return sum;
    }
}
