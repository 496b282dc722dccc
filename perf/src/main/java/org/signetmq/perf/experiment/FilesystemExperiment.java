/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.signetmq.perf.experiment.Experiment.joined;
import static org.signetmq.perf.result.Bar.atLeast;
import static org.signetmq.perf.result.Bar.atMost;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.pair.Pair.Brokers;
import org.signetmq.perf.pair.Part;
import org.signetmq.perf.pair.Part.Timing;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.perf.pair.Setting.Protection;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Published;

/**
 * Encrypted file systems beside protected messages, as IBM's report on the MQ appliance compares them. Each setting is
 * compared with no encryption on the same kind of disk.
 */
final class FilesystemExperiment {
    private static final Timing FULL = new Timing(15, 0.7, 2);
    private static final Timing QUICK = new Timing(4, 0.7, 2);
    private static final int QUEUES = 10;
    private static final List<Integer> SIZES = List.of(256, 2_048, 20_480, 204_800);
    private static final Published.Document PAPER = Published.Document.read("encrypted-filesystem");

    private static final Setting PLAIN = Setting.NONE.withDisk(Disks.PLAIN);
    private static final Setting GOCRYPTFS = Setting.NONE.withDisk(Disks.GOCRYPTFS);
    private static final Setting IMAGE = Setting.NONE.withDisk(Disks.IMAGE);
    private static final Setting FSCRYPT = Setting.NONE.withDisk(Disks.FSCRYPT);
    private static final Setting SIGNET = Setting.confidentiality(KeyKind.P256).withDisk(Disks.PLAIN);
    private static final Setting CLIENTS =
            Setting.of(Protection.CLIENT_CONFIDENTIALITY, "32", KeyKind.P256).withDisk(Disks.PLAIN);
    /** Settings in a folder of the disk, the first one without encryption. */
    private static final List<Setting> FOLDER = List.of(PLAIN, GOCRYPTFS, SIGNET, CLIENTS);
    /** Settings in a file with a file system of its own, the first one without encryption. */
    private static final List<Setting> IN_IMAGE = List.of(IMAGE, FSCRYPT);

    /** The brokers of the published experiment; three stand for ten. */
    private enum Scenario {
        ONE("one", "1-qm", Brokers.ONE),
        SEVERAL("several", "10-qm", new Brokers(3, false, 0)),
        HA("ha", "1-ha", new Brokers(1, true, 0)),
        SEVERAL_HA("several-ha", "10-ha", new Brokers(3, true, 0)),
        /** Small machines. The published models differ by their processors. */
        HALF_CORE("half-core", "", new Brokers(1, false, 0.5)),
        ONE_CORE("one-core", "", new Brokers(1, false, 1));

        private final String label;
        private final String published;

        @SuppressWarnings("ImmutableEnumChecker") // a record of numbers
        private final Brokers brokers;

        Scenario(String label, String published, Brokers brokers) {
            this.label = label;
            this.published = published;
            this.brokers = brokers;
        }

        /** Returns its parts: one for each kind of disk. Small machines have one, because each takes minutes. */
        List<Part> parts(boolean quick) {
            boolean isSmall = brokers.cores() > 0;
            Timing timing = quick ? QUICK : FULL;
            List<Integer> sizes = quick ? SIZES.subList(1, 3) : isSmall ? List.of(2_048) : SIZES;
            List<Integer> clients = isSmall ? List.of(20) : quick || this != ONE ? List.of(1, 20) : List.of(1, 20, 120);
            int queues = brokers.count() * ((QUEUES + brokers.count() - 1) / brokers.count());
            List<Load> loads = sizes.stream()
                    .flatMap(size -> clients.stream().map(count -> Load.of(count, queues, size)))
                    .toList();
            Part folder = new Part(label + ".directory", FOLDER, loads, timing, brokers);
            return isSmall
                    ? List.of(folder)
                    : List.of(folder, new Part(label + ".image", IN_IMAGE, loads, timing, brokers));
        }
    }

    private static final List<Scenario> PUBLISHED =
            List.of(Scenario.ONE, Scenario.SEVERAL, Scenario.HA, Scenario.SEVERAL_HA);

    static final Experiment FILESYSTEM = new Experiment(
            "filesystem",
            "Encrypted file systems beside protected messages",
            PAPER.source() + ". " + PAPER.reading(),
            FilesystemExperiment::run,
            bars(),
            published(),
            new Chart(
                    "Rate with 20 clients relative to no encryption, one broker",
                    Chart.Kind.BARS,
                    Map.of("clients", "20", "queues", "10"),
                    "size",
                    "share",
                    SIZES.stream()
                            .map(size -> new Chart.Point("A at worst", size, throughput("1-qm.A", size)))
                            .toList()));

    private FilesystemExperiment() {}

    private static void run(Runner runner) throws Exception {
        try (Disks disks = new Disks(runner.folder(), "8G")) {
            String cipher = Disks.kernelCipher();
            if (cipher.contains("generic") || cipher.contains("fixed-time")) {
                runner.say("warning: fscrypt: the kernel has " + cipher
                        + ", without instructions of the processor: its cost is overstated");
            }
            for (Scenario scenario : runner.isQuick() ? List.of(Scenario.ONE) : List.of(Scenario.values())) {
                for (Part part : scenario.parts(runner.isQuick())) {
                    part.measure(runner, disks.all());
                }
            }
            if (!runner.isQuick()) {
                StoredMessages.cold(joined(FOLDER, IN_IMAGE), disks, runner);
                StoredMessages.coverage(joined(List.of(PLAIN.withTls()), FOLDER, IN_IMAGE), disks, runner);
            }
        }
    }

    private static double throughput(String curve, int size) {
        return 1 + PAPER.figure("throughput").value(curve, size) / 100;
    }

    /** Picks the least share of a setting under all numbers of clients. */
    private static Pick worst(Scenario scenario, Setting setting, int size) {
        String part = scenario.label + (IN_IMAGE.contains(setting) ? ".image" : ".directory");
        return Pick.of("share", "part", part, "setting", setting.label(), "size", size);
    }

    private static List<Bar> bars() {
        List<Bar> bars = new ArrayList<>();
        for (int size : SIZES) {
            String name = "one broker, " + size + " bytes: confidentiality keeps of none";
            bars.add(atLeast(0.90, name, worst(Scenario.ONE, SIGNET, size)));
            for (Scenario scenario : PUBLISHED) {
                for (Setting other : List.of(GOCRYPTFS, FSCRYPT)) {
                    String both = scenario.label + ", " + size + " bytes: confidentiality / " + other.disk();
                    bars.add(atLeast(1, both, worst(scenario, SIGNET, size).over(worst(scenario, other, size))));
                }
            }
        }
        Pick halfOfOne = worst(Scenario.HALF_CORE, SIGNET, 2_048).over(worst(Scenario.ONE_CORE, SIGNET, 2_048));
        bars.add(atLeast(0.95, "2048 bytes: confidentiality with half a core / with one", halfOfOne));
        List<String> places = List.of("journal", "paging", "large", "stored", "to_consumers");
        for (String place : places) {
            bars.add(atMost(0, "payloads in clear, the broker seals: " + place, inClear(place, SIGNET)));
        }
        for (String place : joined(places, List.of("memory", "to_broker"))) {
            bars.add(atMost(0, "payloads in clear, clients seal: " + place, inClear(place, CLIENTS)));
            bars.add(atLeast(1, "shape: payloads in clear without encryption: " + place, inClear(place, PLAIN)));
        }
        return bars;
    }

    private static Pick inClear(String place, Setting setting) {
        return Pick.of(place, "part", "coverage", "setting", setting.label());
    }

    private static List<Published> published() {
        List<Published> published = new ArrayList<>();
        for (Scenario scenario : PUBLISHED) {
            for (int size : SIZES) {
                published.add(new Published(
                        "Encrypted file system, " + scenario.label + ", " + size + " bytes: share at the worst load",
                        throughput(scenario.published + ".A", size),
                        worst(scenario, FSCRYPT, size),
                        worst(scenario, SIGNET, size)));
            }
        }
        return published;
    }
}
