/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.signetmq.testkit.Run;

/**
 * The resources that a Java process holds at one moment.
 *
 * @param heapBytes size of all live objects, after a full collection
 * @param threads number of native threads
 * @param files number of open file descriptors
 * @param keys number of live data keys of Signet
 */
record ProcessSample(long heapBytes, int threads, int files, long keys) {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
    private static final Pattern DATA_KEYS = Pattern.compile("(?m)^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+\\S*\\.DataKey\\b");

    /** Collects the garbage of a process and counts. */
    static ProcessSample of(long pid) throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String histogram = Run.of(Path.of("").toAbsolutePath(), List.of(jcmd, Long.toString(pid), "GC.class_histogram"))
                .ok()
                .out();
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            throw new IOException("no total in the class histogram of process " + pid);
        }
        Matcher keys = DATA_KEYS.matcher(histogram);
        return new ProcessSample(
                Long.parseLong(total.group(1)),
                entries(Path.of("/proc", Long.toString(pid), "task")),
                entries(Path.of("/proc", Long.toString(pid), "fd")),
                keys.find() ? Long.parseLong(keys.group(1)) : 0);
    }

    /** The figures in the order of the components, with commas between them. */
    String line() {
        return heapBytes + "," + threads + "," + files + "," + keys;
    }

    private static int entries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return (int) entries.count();
        }
    }
}
