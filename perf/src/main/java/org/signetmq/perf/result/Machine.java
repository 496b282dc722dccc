/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.signetmq.keystore.crypto.CryptoProviders;

/** The machine that figures hold for. */
public final class Machine {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final double BUSY = 0.25;
    private static final long BUSY_MILLIS = 500;

    private Machine() {}

    /** Returns processor, system, Java and crypto provider as fields of JSON. */
    static Result describe() {
        String provider = CryptoProviders.standard()
                .accelerated()
                .map(accelerated -> accelerated.getName() + " " + accelerated.getVersionStr())
                .orElse("none");
        return Result.EMPTY
                .with("processor", processor())
                .with("processors", SYSTEM.getAvailableProcessors())
                .with("memory_mib", SYSTEM.getTotalMemorySize() >> 20)
                .with("system", SYSTEM.getName() + " " + SYSTEM.getVersion())
                .with("architecture", SYSTEM.getArch())
                .with("java", System.getProperty("java.runtime.version") + " " + System.getProperty("java.vm.name"))
                .with("native_crypto", provider);
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException | UncheckedIOException notLinux) {
            return "unknown";
        }
    }

    /**
     * Warns if other programs take more than a quarter of the processor: they would be measured too. It looks at the
     * next half second, because the load average still counts a command that has just ended.
     */
    public static void warnIfBusy() {
        SYSTEM.getCpuLoad(); // the next values are about the time since these
        SYSTEM.getProcessCpuLoad();
        try {
            Thread.sleep(BUSY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        warning(SYSTEM.getCpuLoad(), SYSTEM.getProcessCpuLoad()).ifPresent(System.err::println);
    }

    /**
     * Returns the warning; empty if there is none.
     *
     * @param all the share of the processor that all programs take; negative if it is unknown
     * @param own the share of this process; negative if it is unknown
     */
    static Optional<String> warning(double all, double own) {
        double others = all - Math.max(0, own);
        return others <= BUSY
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "signet: warning: other programs take %.0f %% of the processor: figures will not be reliable",
                        100 * others));
    }
}
