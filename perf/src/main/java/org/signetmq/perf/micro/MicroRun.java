/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** Runs rows, each in processes of its own. */
final class MicroRun {
    /** How long to look. */
    enum Depth {
        QUICK(1, 3, 3, Duration.ofMillis(600)),
        FULL(3, 5, 5, Duration.ofSeconds(1));

        final int forks;
        final int warmups;
        final int measurements;
        final Duration iteration;

        Depth(int forks, int warmups, int measurements, Duration iteration) {
            this.forks = forks;
            this.warmups = warmups;
            this.measurements = measurements;
            this.iteration = iteration;
        }
    }

    /**
     * What a row came to; NaN where it failed.
     *
     * @param spread the slowest iteration's time over the fastest one's
     */
    record Measured(RowCatalog.Entry row, double microsPerOp, double bytesPerOp, double spread) {
        private static final double CALM = 1.5;

        static Measured failed(RowCatalog.Entry row) {
            return new Measured(row, Double.NaN, Double.NaN, Double.NaN);
        }

        /** Something else kept the machine busy, or the compiler was not done: not a figure to rely on. */
        boolean noisy() {
            return spread > CALM;
        }

        boolean failed() {
            return Double.isNaN(microsPerOp);
        }
    }

    private final Depth depth;
    private final List<RowCatalog.Entry> entries;

    MicroRun(Depth depth, List<RowCatalog.Entry> entries) {
        this.depth = depth;
        this.entries = entries;
    }

    List<Measured> execute() throws IOException {
        List<Measured> measured = new ArrayList<>();
        for (RowCatalog.Entry entry : entries) {
            System.err.printf("[%d/%d] %s %s%n", measured.size() + 1, entries.size(), entry.name(), entry.crypto());
            measured.add(measure(entry));
        }
        return measured;
    }

    private Measured measure(RowCatalog.Entry entry) throws IOException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(RowBenchmark.class.getName() + ".measure")
                .param("row", entry.name())
                .threads(entry.threads())
                .forks(depth.forks)
                .warmupIterations(warmups(entry.threads()))
                .warmupTime(time())
                .measurementIterations(depth.measurements)
                .measurementTime(time())
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .output(Files.createTempFile("signet-perf", ".log").toString())
                .jvmArgsAppend(
                        "-Xms1g",
                        "-Xmx1g",
                        "-Dsignet.crypto.java-only=" + (entry.crypto() == RowCatalog.Crypto.JAVA_ONLY));
        try {
            RunResult result = new Runner(options.build()).runSingle();
            Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
            Statistics times = result.getPrimaryResult().getStatistics();
            return new Measured(
                    entry,
                    result.getPrimaryResult().getScore(),
                    allocated == null ? Double.NaN : allocated.getScore(),
                    times.getMax() / times.getMin());
        } catch (RunnerException failed) {
            System.err.println("signet: error: " + entry.name() + ": " + failed.getMessage());
            return Measured.failed(entry);
        }
    }

    /** Compilers take longer where the threads of a row leave them no core. */
    private int warmups(int threads) {
        return threads == 1 ? depth.warmups : 3 * depth.warmups;
    }

    private TimeValue time() {
        return TimeValue.milliseconds(depth.iteration.toMillis());
    }
}
