/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.signetmq.keystore.crypto.CryptoProviders;

/** The machine that figures hold for. */
public final class Machine {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

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

    /** Warns if programs already take more than half of the cores: they would be measured too. */
    public static void warnIfBusy() {
        double load = SYSTEM.getSystemLoadAverage();
        int cores = SYSTEM.getAvailableProcessors();
        if (load > cores / 2.0) {
            System.err.printf(
                    "signet: warning: the machine is busy (load %.1f on %d cores): figures will not be reliable%n",
                    load, cores);
        }
    }
}
