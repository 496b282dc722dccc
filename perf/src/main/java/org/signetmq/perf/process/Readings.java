/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.signetmq.perf.result.Row;

/** What a process has used since its start, as the operating system and Java account for it. */
public final class Readings {
    /** Processor time of all threads, in milliseconds. */
    public static final String CPU = "cpu_ms";
    /** Time of garbage collections, in milliseconds. */
    public static final String GC = "gc_ms";
    /** Time of compilation, in milliseconds. */
    public static final String JIT = "jit_ms";
    /** Bytes given to the disk. */
    public static final String DISK = "disk_bytes";
    /** Bytes that the whole system has sent over the network, with all headers. Loopback connections count too. */
    public static final String WIRE = "wire_bytes";

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private Readings() {}

    /** Returns the readings of this process. Values that the system does not tell are missing. */
    public static Row ofThisProcess() {
        return Row.of(CPU, SYSTEM.getProcessCpuTime() / 1e6)
                .with(
                        GC,
                        ManagementFactory.getGarbageCollectorMXBeans().stream()
                                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                                .sum())
                .with(JIT, ManagementFactory.getCompilationMXBean().getTotalCompilationTime())
                .with(DISK, diskBytes())
                .with(WIRE, sentBytes());
    }

    private static double diskBytes() {
        return lines("/proc/self/io", "write_bytes:").stream()
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Reads a table of two lines for each group: the names of its counters, and their values. */
    private static double sentBytes() {
        List<String> lines = lines("/proc/net/netstat", "IpExt:");
        int column = lines.size() == 2 ? List.of(lines.get(0).split(" ")).indexOf("OutOctets") : -1;
        return column < 0 ? Double.NaN : Double.parseDouble(lines.get(1).split(" ", -1)[column]);
    }

    private static List<String> lines(String account, String begin) {
        try {
            return Files.readAllLines(Path.of(account)).stream()
                    .filter(line -> line.startsWith(begin))
                    .toList();
        } catch (IOException notLinux) {
            return List.of();
        }
    }

    /** Returns the sum of the numbers of both rows, or the other's alone where one has none. */
    public static Row sum(Row one, Row other) {
        Row sum = one;
        for (String name : other.cells().keySet()) {
            sum = sum.with(name, (one.has(name) ? one.number(name) : 0) + other.number(name));
        }
        return sum;
    }

    /** Returns what was used between two readings. */
    public static Row between(Row begin, Row end) {
        Row used = Row.EMPTY;
        for (String name : end.cells().keySet()) {
            used = used.with(name, end.number(name) - begin.number(name));
        }
        return used;
    }
}
