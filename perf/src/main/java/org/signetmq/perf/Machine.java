/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.signetmq.keystore.crypto.CryptoProviders;

/** What a result was measured on: figures of two machines are never compared without it. */
public final class Machine {
    private Machine() {}

    /** Processor, system, Java and crypto provider, as they go into JSON. */
    public static Map<String, Object> describe() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("processor", processor());
        facts.put("processors", Runtime.getRuntime().availableProcessors());
        facts.put("memory_mib", memoryBytes() >> 20);
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("architecture", System.getProperty("os.arch"));
        facts.put("java", System.getProperty("java.runtime.version") + " " + System.getProperty("java.vm.name"));
        facts.put(
                "native_crypto",
                CryptoProviders.standard()
                        .accelerated()
                        .map(provider -> provider.getName() + " " + provider.getVersionStr())
                        .orElse("none"));
        return facts;
    }

    /** Of the machine, or of the container: not what Java was given of it. */
    private static long memoryBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException notLinux) {
            return "unknown";
        }
    }
}
