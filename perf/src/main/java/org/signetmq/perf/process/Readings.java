/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.signetmq.perf.result.Result;

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

    /** Processor time of the process that does the work of the file system, in milliseconds. */
    public static final String DAEMON = "daemon_cpu_ms";

    /** Data keys that messages began to use. A process without protection does not tell it. */
    public static final String KEYS = "keys";

    public static final List<String> FIELDS = List.of(CPU, GC, JIT, DISK, WIRE, DAEMON, KEYS);

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final Path DISK_ACCOUNT = Path.of("/proc/self/io");
    private static final Path NETWORK_ACCOUNT = Path.of("/proc/net/netstat");

    private Readings() {}

    /** Returns the readings of this process. Fields that the system does not tell are missing. */
    public static Result ofThisProcess() {
        return Result.EMPTY
                .with(CPU, SYSTEM.getProcessCpuTime() / 1e6)
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
        try {
            return Files.readAllLines(DISK_ACCOUNT).stream()
                    .filter(line -> line.startsWith("write_bytes:"))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException notLinux) {
            return Double.NaN;
        }
    }

    /** Reads a table of two lines for each group: the names of its counters, and their values. */
    private static double sentBytes() {
        try {
            List<List<String>> lines = Files.readAllLines(NETWORK_ACCOUNT).stream()
                    .filter(line -> line.startsWith("IpExt:"))
                    .map(line -> List.of(line.split(" ")))
                    .toList();
            int column = lines.size() == 2 ? lines.get(0).indexOf("OutOctets") : -1;
            return column < 0 ? Double.NaN : Double.parseDouble(lines.get(1).get(column));
        } catch (IOException notLinux) {
            return Double.NaN;
        }
    }

    /** Returns what was used between two readings. */
    public static Result between(Result begin, Result end) {
        Result used = Result.EMPTY;
        for (String field : FIELDS) {
            used = used.with(field, end.number(field) - begin.number(field));
        }
        return used;
    }
}
