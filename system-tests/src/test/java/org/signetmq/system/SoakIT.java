/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;

/**
 * All protocols and qualities for hours, while policies, certificates and connections change. It samples the heap,
 * threads, open files and data keys of the broker and of the clients, and expects that none of them grows.
 * {@code -Dsignet.soak=2} runs it for two hours; it writes {@code target/soak.csv}.
 */
@EnabledIfSystemProperty(named = "signet.soak", matches = "[0-9.]+")
final class SoakIT {
    private static final List<String> QUALITIES = List.of("none", "integrity", "privacy", "confidentiality");

    /** Samples that are needed before growth can be told from warming up. */
    private static final int SAMPLES_FOR_A_TREND = 20;

    private final long seconds = Math.round(3600 * Double.parseDouble(System.getProperty("signet.soak")));
    private final boolean isLong = seconds >= 600;
    private final Duration between = isLong ? Duration.ofSeconds(30) : Duration.ofSeconds(5);
    private final List<ProcessSample> broker = new ArrayList<>();
    private final List<ProcessSample> clients = new ArrayList<>();

    @TempDir
    private Path folder;

    @Test
    void allProtocolsAndQualities_whilePoliciesCertificatesAndConnectionsChange_loseNothingAndDoNotGrow()
            throws Exception {
        Signet signet = Signet.withHomes(folder, "soak.privacy.#", "privacy");
        SoakChanges changes = new SoakChanges(signet);
        changes.announceCertificate();
        changes.useCertificate();
        changes.changePolicies();
        try (BrokerInstance instance =
                BrokerInstance.create(Distribution.ARTEMIS_2_56, folder.resolve("broker"), "--queues", queues())) {
            signet.install(instance).ok();
            instance.start();
            SoakLoad load = new SoakLoad(instance, signet);
            try (BufferedWriter table = Files.newBufferedWriter(Path.of("target/soak.csv"))) {
                table.write("second,sent,received,broker heap,threads,files,keys,clients heap,threads,files,keys\n");
                QUALITIES.forEach(quality -> load.start("soak." + quality));
                run(instance, load, changes, table);
            } finally {
                load.stop();
            }

            assertThat(load.failures()).isEmpty();
            assertThat(load.received()).isEqualTo(load.sent()).isGreaterThan(seconds * QUALITIES.size());
        }
        SoftAssertions flat = new SoftAssertions();
        assertFlat(flat, "broker", broker);
        assertFlat(flat, "clients", clients);
        flat.assertAll();
    }

    private static String queues() {
        List<String> queues = new ArrayList<>();
        for (String quality : QUALITIES) {
            for (Client client : Client.values()) {
                String address = "soak." + quality + "." + client.name().toLowerCase(Locale.ROOT);
                String queue = client.queue(address);
                queues.add(queue.equals(address) ? queue : queue + ":multicast");
            }
        }
        return String.join(",", queues);
    }

    /** Samples and changes in turn until the time is over or a thread failed. */
    private void run(BrokerInstance instance, SoakLoad load, SoakChanges changes, BufferedWriter table)
            throws Exception {
        long start = System.nanoTime();
        for (int round = 0; !load.failsWithin(round == 0 ? Duration.ZERO : between); round++) {
            long second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
            if (second >= seconds) {
                return;
            }
            switch (round % 4) {
                case 0 -> {
                    changes.useBrokerKey();
                    changes.announceCertificate();
                }
                case 1 -> changes.changePolicies();
                case 2 -> changes.useCertificate();
                default -> changes.announceBrokerKey();
            }
            sample(second, instance, load, table);
        }
    }

    private void sample(long second, BrokerInstance instance, SoakLoad load, BufferedWriter table) throws IOException {
        ProcessSample ofBroker = ProcessSample.of(instance.pid());
        ProcessSample ofClients = ProcessSample.of(ProcessHandle.current().pid());
        broker.add(ofBroker);
        clients.add(ofClients);
        table.write(second + "," + load.sent() + "," + load.received() + "," + ofBroker.line() + "," + ofClients.line()
                + "\n");
        table.flush();
    }

    /** The middle of the last quarter is not above the middle of the second quarter, but for a small allowance. */
    private static void assertFlat(SoftAssertions flat, String process, List<ProcessSample> samples) {
        if (samples.size() < SAMPLES_FOR_A_TREND) {
            flat.assertThat(samples)
                    .as(process)
                    .allSatisfy(sample -> assertThat(sample.keys()).isLessThan(1_000));
            return;
        }
        assertFlat(flat, process + ": heap", samples, ProcessSample::heapBytes, 8 << 20);
        assertFlat(flat, process + ": threads", samples, ProcessSample::threads, 5);
        assertFlat(flat, process + ": files", samples, ProcessSample::files, 10);
        assertFlat(flat, process + ": keys", samples, ProcessSample::keys, 20);
    }

    private static void assertFlat(
            SoftAssertions flat,
            String name,
            List<ProcessSample> samples,
            ToLongFunction<ProcessSample> value,
            long allowance) {
        long early = middle(samples.subList(samples.size() / 4, samples.size() / 2), value);
        long late = middle(samples.subList(3 * samples.size() / 4, samples.size()), value);
        flat.assertThat(late).as(name + ", early " + early).isLessThanOrEqualTo(early + allowance);
    }

    private static long middle(List<ProcessSample> samples, ToLongFunction<ProcessSample> value) {
        return samples.stream()
                .mapToLong(value)
                .sorted()
                .skip(samples.size() / 2)
                .findFirst()
                .orElseThrow();
    }
}
