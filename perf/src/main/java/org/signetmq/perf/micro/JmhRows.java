/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;
import org.signetmq.perf.micro.MicroRun.RowRunner;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.micro.Row.Measured;
import org.signetmq.perf.micro.Rows.Depth;

/** Runs our own rows, one after the other, in as many processes as their depth says. */
final class JmhRows implements RowRunner {
    @Override
    public List<Measured> measure(Depth depth, List<Row> rows) throws IOException {
        List<Measured> measured = new ArrayList<>();
        for (Row row : rows) {
            measured.add(measure(depth, row));
        }
        return measured;
    }

    private static Measured measure(Depth depth, Row row) throws IOException {
        Path log = Files.createTempFile("signet-perf", ".log");
        try {
            RunResult result = new Runner(options(depth, row, log)).runSingle();
            Files.deleteIfExists(log);
            org.openjdk.jmh.results.Result<?> allocated =
                    result.getSecondaryResults().get("gc.alloc.rate.norm");
            Statistics times = result.getPrimaryResult().getStatistics();
            return row.measured(
                    result.getPrimaryResult().getScore(),
                    allocated == null ? Double.NaN : allocated.getScore(),
                    times.getMax() / times.getMin());
        } catch (RunnerException failed) {
            return row.failed(failed.getMessage() + ", see " + log);
        }
    }

    private static Options options(Depth depth, Row row, Path log) {
        TimeValue time = TimeValue.milliseconds(depth.iteration.toMillis());
        Class<?> benchmark = row.parameter("primitive").isEmpty() ? EnvelopeBenchmark.class : LimitBenchmark.class;
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(benchmark.getName() + ".measure")
                .threads(row.threads())
                .forks(depth.forks)
                .warmupIterations(depth.warmups(row.threads()))
                .warmupTime(time)
                .measurementIterations(depth.measurements)
                .measurementTime(time)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.NORMAL) // into the log: why a row failed
                .output(log.toString())
                .jvmArgsAppend("-Xms1g", "-Xmx1g", "-Dsignet.crypto.java-only=" + (row.crypto() == Crypto.JAVA_ONLY));
        row.parameters().forEach(options::param);
        return options.build();
    }
}
