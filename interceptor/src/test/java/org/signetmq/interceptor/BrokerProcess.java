/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.GarbageCollectorMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A broker in a process of its own, with the homes in a folder, which says how much of its memory is in use. */
final class BrokerProcess implements AutoCloseable {
    /** A property of Java that says the plugin's {@code max-message-size}. */
    static final String MOST_BYTES = "max-message-size";

    /** A property of Java that says the plugin's {@code policy-store}. */
    static final String POLICY_STORE = "policy-store";

    /** A property of Java that says the bytes of an address in memory; a page holds a fifth of them. */
    static final String PAGED_FROM = "paged-from";

    private static final String PRESSURE = "pressure";
    private static final String PORT = "port ";
    private static final String LIVE = "live ";
    private static final String UNFINISHED = "unfinished ";

    private final Path folder;
    private final Process process;
    private final BufferedReader said;
    private final Writer asked;
    private final String uri;

    private BrokerProcess(Path folder, Process process) throws IOException {
        this.folder = folder;
        this.process = process;
        this.said = process.inputReader(StandardCharsets.UTF_8);
        this.asked = process.outputWriter(StandardCharsets.UTF_8);
        this.uri = "tcp://127.0.0.1:" + answer(PORT);
    }

    /** Starts one with these options of Java. */
    static BrokerProcess start(Path folder, String... options) throws IOException {
        List<String> more = new ArrayList<>(Arrays.asList(options));
        more.add("-XX:+ExitOnOutOfMemoryError");
        return startWith(folder, more);
    }

    /** Starts one that lives for seconds: the second compiler would take more than it saves. */
    static BrokerProcess shortLived(Path folder, String... options) throws IOException {
        List<String> more = new ArrayList<>(Arrays.asList(options));
        more.add("-XX:TieredStopAtLevel=1");
        return start(folder, more.toArray(String[]::new));
    }

    /** Starts one in which another thread takes almost all memory, lets go of it, and takes it again. */
    static BrokerProcess underPressure(Path folder, String heap) throws IOException {
        return startWith(folder, List.of(heap, "-D" + PRESSURE + "=true"));
    }

    private static BrokerProcess startWith(Path folder, List<String> options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BrokerProcess.class.getName(),
                folder.toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve("errors").toFile())
                .start();
        return new BrokerProcess(folder, process);
    }

    String uri() {
        return uri;
    }

    /** How many bytes of memory are reachable now. */
    long liveBytes() throws IOException {
        asked.write('?');
        asked.flush();
        return Long.parseLong(answer(LIVE));
    }

    /** Returns the number of large messages that are not complete, and their bytes in memory. */
    String unfinished() throws IOException {
        asked.write('u');
        asked.flush();
        return answer(UNFINISHED);
    }

    void assertAlive() throws IOException {
        assertThat(process.isAlive())
                .as(Files.readString(folder.resolve("errors")))
                .isTrue();
    }

    private String answer(String start) throws IOException {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(start)) {
                return line.substring(start.length());
            }
        }
        throw new AssertionError("the broker has ended: " + Files.readString(folder.resolve("errors")));
    }

    /** Ends the process as the operating system does when it must. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }

    /** The broker's process: says its port, answers, and ends with its input. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        TestBroker.Setup setup = new TestBroker.Setup(TestHomes.existing(folder), folder.resolve("data"));
        String mostBytes = System.getProperty(MOST_BYTES);
        if (mostBytes != null) {
            setup.property("max-message-size", mostBytes);
        }
        String policyStore = System.getProperty(POLICY_STORE);
        if (policyStore != null) {
            setup.property(POLICY_STORE, policyStore);
        }
        int pagedFrom = Integer.getInteger(PAGED_FROM, 0);
        if (pagedFrom > 0) {
            setup.with(configuration -> Objects.requireNonNull(
                            configuration.getAddressSettings().get("#"))
                    .setMaxSizeBytes(pagedFrom)
                    .setPageSizeBytes(pagedFrom / 5));
        }
        try (TestBroker broker = setup.start();
                BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            PrintStream out = System.out;
            out.println(PORT + broker.port);
            if (Boolean.getBoolean(PRESSURE)) {
                press();
            }
            for (int question = asked.read(); question >= 0; question = asked.read()) {
                out.println(
                        question == 'u'
                                ? UNFINISHED + LargeBodies.openMessages(broker) + " " + LargeBodies.heldBytes(broker)
                                : LIVE + (liveHeap() + directBuffers()));
            }
        }
    }

    /** Takes memory in pieces until there is none, keeps most of it for a moment, and begins again. */
    private static void press() {
        Thread pressing = new Thread(
                () -> {
                    while (true) {
                        List<byte[]> taken = new ArrayList<>();
                        try {
                            while (true) {
                                taken.add(new byte[64 << 10]);
                            }
                        } catch (OutOfMemoryError full) {
                            int kept = Math.max(
                                    0,
                                    taken.size() - ThreadLocalRandom.current().nextInt(1, 120));
                            taken.subList(kept, taken.size()).clear();
                            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                            taken.clear();
                            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                        }
                    }
                },
                "pressure");
        pressing.setDaemon(true);
        pressing.start();
    }

    /** Returns the heap in use right after a collection. Allocations of other threads after it do not count. */
    private static long liveHeap() {
        GarbageCollectorMXBean full = ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).stream()
                .filter(bean -> bean.getName().equals("MarkSweepCompact"))
                .findFirst()
                .orElseThrow();
        System.gc();
        List<String> pools = List.of(full.getMemoryPoolNames());
        return full.getLastGcInfo().getMemoryUsageAfterGc().entrySet().stream()
                .filter(pool -> pools.contains(pool.getKey()))
                .map(java.util.Map.Entry::getValue)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }

    private static long directBuffers() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
