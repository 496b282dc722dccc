/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.signetmq.keystore.keys.CryptoProviders;

/** The machine that figures hold for. */
public final class Machine {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final double BUSY = 0.25;
    private static final long BUSY_MILLIS = 500;

    private Machine() {}

    /** Returns processor, system, Java and crypto provider in one line. */
    public static String description() {
        String provider = CryptoProviders.standard()
                .accelerated()
                .map(accelerated -> accelerated.getName() + " " + accelerated.getVersionStr())
                .orElse("none");
        return String.join(
                "; ",
                processor() + " with " + SYSTEM.getAvailableProcessors() + " processors",
                (SYSTEM.getTotalMemorySize() >> 20) + " MiB",
                SYSTEM.getName() + " " + SYSTEM.getVersion(),
                "Java " + System.getProperty("java.runtime.version"),
                "native cryptography: " + provider);
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(SYSTEM.getArch());
        } catch (IOException | UncheckedIOException notLinux) {
            return SYSTEM.getArch();
        }
    }

    /**
     * Warns if other programs take more than a quarter of the processor: they would be measured too. It looks at the
     * next half second, because the load average still counts a command that has just ended.
     */
    public static void warnIfBusy() throws InterruptedException {
        SYSTEM.getCpuLoad(); // the next value is about the time since this one
        Thread.sleep(BUSY_MILLIS);
        double load = SYSTEM.getCpuLoad();
        if (load > BUSY) {
            System.err.printf(
                    "signet: warning: other programs take %.0f %% of the processor: figures will not be reliable%n",
                    100 * load);
        }
    }
}
