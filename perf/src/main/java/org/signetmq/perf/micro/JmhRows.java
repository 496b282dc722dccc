/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Our own rows, one after the other, in as many processes as their depth says. */
final class JmhRows implements RowRunner {
    @Override
    public List<Measured> measure(Depth depth, List<RowCatalog.Entry> rows) throws IOException {
        List<Measured> measured = new ArrayList<>();
        for (RowCatalog.Entry row : rows) {
            measured.add(measure(depth, row));
        }
        return measured;
    }

    private static Measured measure(Depth depth, RowCatalog.Entry row) throws IOException {
        Path log = Files.createTempFile("signet-perf", ".log");
        try {
            Measured measured =
                    measured(row, new Runner(options(depth, row, log).build()).runSingle());
            Files.deleteIfExists(log);
            return measured;
        } catch (RunnerException failed) {
            return Measured.failed(row, failed.getMessage() + ", see " + log);
        }
    }

    private static Measured measured(RowCatalog.Entry row, RunResult result) {
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        Statistics times = result.getPrimaryResult().getStatistics();
        return new Measured(
                row,
                result.getPrimaryResult().getScore(),
                allocated == null ? Double.NaN : allocated.getScore(),
                times.getMax() / times.getMin());
    }

    private static ChainedOptionsBuilder options(Depth depth, RowCatalog.Entry row, Path log) {
        TimeValue time = TimeValue.milliseconds(depth.iteration.toMillis());
        return new OptionsBuilder()
                .include(RowBenchmark.class.getName() + ".measure")
                .param("row", row.name())
                .threads(row.threads())
                .forks(depth.forks)
                .warmupIterations(depth.warmups(row.threads()))
                .warmupTime(time)
                .measurementIterations(depth.measurements)
                .measurementTime(time)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.NORMAL) // into the log: why a row failed
                .output(log.toString())
                .jvmArgsAppend(
                        "-Xms1g",
                        "-Xmx1g",
                        "-Dsignet.crypto.java-only=" + (row.crypto() == RowCatalog.Crypto.JAVA_ONLY));
    }
}
