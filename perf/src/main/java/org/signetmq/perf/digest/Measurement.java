/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.signetmq.perf.digest.Setting.Pace;
import org.signetmq.perf.result.Result;

/** Measures one way in one setting, and keeps the figures of all runs. */
final class Measurement {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final Setting setting;
    private final Contender contender;
    private final DataFiles data;
    private final Map<String, List<Double>> figures = new LinkedHashMap<>();
    private int runs;
    private long allNanos; // of all runs of both, as the next two
    private long busyNanos; // of all processors, by all programs
    private long cpuNanos; // of this program; the system counts it in steps that are too coarse for one run

    /**
     * A way in the comparison.
     *
     * @param names its fields in results
     * @param reading the way if it only reads
     * @param working the way if there is work
     * @param work the work that the way leaves to its caller
     */
    record Contender(Result names, Way reading, Way working, Work work) {}

    /** What is timed: a part alone, or both. */
    private enum Timed {
        READ,
        WORK,
        BOTH
    }

    Measurement(Setting setting, Contender contender, DataFiles data) {
        this.setting = setting;
        this.contender = contender;
        this.data = data;
    }

    /** Has Java compile; throttled, the same code runs as unthrottled. */
    void warmUp() throws IOException, InterruptedException {
        if (!isThrottled()) {
            run();
            figures.clear();
            allNanos = 0;
            busyNanos = 0;
            cpuNanos = 0;
            runs = 0;
        }
    }

    /** Adds the figures of one more run. */
    void run() throws IOException, InterruptedException {
        double read = megabytesPerSecond(Timed.READ);
        double work = megabytesPerSecond(Timed.WORK);
        SYSTEM.getCpuLoad(); // the next call returns the load since this one
        long start = System.nanoTime();
        long cpuBefore = SYSTEM.getProcessCpuTime();
        double both = megabytesPerSecond(Timed.BOTH);
        cpuNanos += SYSTEM.getProcessCpuTime() - cpuBefore;
        long nanos = System.nanoTime() - start;
        allNanos += nanos;
        busyNanos += Math.round(SYSTEM.getCpuLoad() * SYSTEM.getAvailableProcessors() * nanos);
        runs++;
        add("read_mb_per_s", read);
        add("digest_mb_per_s", work);
        add("both_mb_per_s", both);
    }

    private void add(String figure, double value) {
        figures.computeIfAbsent(figure, first -> new ArrayList<>()).add(value);
    }

    private boolean isThrottled() {
        return setting.pace() == Pace.THROTTLED;
    }

    /** Returns the files of a run: throttled, one takes long enough to be measured. */
    private List<Path> files() {
        return data.first(isThrottled() ? 1 : Integer.MAX_VALUE);
    }

    private long bytes() {
        return (long) files().size() * data.length();
    }

    private double megabytesPerSecond(Timed timed) throws IOException, InterruptedException {
        if (timed != Timed.WORK && !isThrottled()) {
            DataFiles.forget(files());
        }
        Way way = timed == Timed.READ ? contender.reading() : contender.working();
        LongConsumer reading =
                timed == Timed.WORK ? bytes -> {} : setting.pace().ofReading();
        Work work = timed == Timed.READ
                ? Work.NONE
                : contender.work().within(setting.pace().ofWork());
        long start = System.nanoTime();
        for (Path file : files()) {
            try (InputStream in = timed == Timed.WORK ? BlockStream.inMemory(data.length()) : DataFiles.open(file)) {
                way.run(new BlockStream(in, setting.block(), reading), work);
            }
        }
        return bytes() * 1e3 / (System.nanoTime() - start);
    }

    /**
     * Returns the row of JSON: each rate with its median, least and most, and ratios of the most. Other programs make a
     * run slower, and none makes it faster.
     */
    Result result() {
        Result row = Result.EMPTY.with("work", setting.work().toString());
        for (var name : contender.names().json().properties()) {
            row = row.with(name.getKey(), name.getValue());
        }
        row = row.with("block", setting.block())
                .with("throttled", isThrottled())
                .with("file_bytes", data.length());
        for (Map.Entry<String, List<Double>> figure : figures.entrySet()) {
            double[] sorted = figure.getValue().stream()
                    .mapToDouble(value -> value)
                    .sorted()
                    .toArray();
            int middle = sorted.length / 2;
            row = row.with(figure.getKey() + ".median", (sorted[middle] + sorted[(sorted.length - 1) / 2]) / 2)
                    .with(figure.getKey() + ".min", sorted[0])
                    .with(figure.getKey() + ".max", sorted[sorted.length - 1]);
        }
        double read = row.number("read_mb_per_s.max");
        double work = row.number("digest_mb_per_s.max");
        double both = row.number("both_mb_per_s.max");
        row = row.with("serial_mb_per_s", 1 / (1 / read + 1 / work))
                .with("both_of_least", both / Math.min(read, work))
                .with("both_of_digest", both / work)
                .with("cpu_s_per_gb", (double) cpuNanos / (runs * bytes()))
                .with("cores_of_others", Math.max(0, (double) (busyNanos - cpuNanos) / allNanos))
                .with("runs", runs);
        return setting.work() == Work.Kind.SHA_256 && isThrottled() ? Published.addTo(row) : row;
    }
}
