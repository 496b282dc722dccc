/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.pair.Part;
import org.signetmq.perf.pair.Part.Timing;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.perf.pair.Setting.Protection;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Published;
import org.signetmq.perf.result.Published.Document;

/**
 * Round trips through a broker: those of users, and those of IBM's papers on AMS, in the manner of AMS and with Signet.
 */
final class AmsExperiments {
    private static final Timing FULL = new Timing(25, 1, 4);
    private static final Timing QUICK = new Timing(9, 0.7, 4);
    private static final int SIZE = Load.USUAL_SIZE;

    private static final Document AMS = Document.read("ams");
    private static final Document APPLIANCE = Document.read("ams-appliance");

    private static final Setting CONFIDENTIALITY = Setting.confidentiality(KeyKind.P256);
    private static final Setting PRIVACY = Setting.of(Protection.PRIVACY, "", KeyKind.P256);
    private static final Setting INTEGRITY = Setting.of(Protection.INTEGRITY, "", KeyKind.P256);
    private static final Setting AMS_CONFIDENTIALITY =
            Setting.of(Protection.AMS_CONFIDENTIALITY, "32", KeyKind.RSA2048);
    private static final Setting AMS_PRIVACY = Setting.of(Protection.AMS_PRIVACY, "", KeyKind.RSA2048);
    private static final Setting AMS_INTEGRITY = Setting.of(Protection.AMS_INTEGRITY, "", KeyKind.RSA2048);

    static final List<Experiment> ALL = List.of(roundTrips(), clients(1), clients(2), reuse(), sizes(), tls());

    private AmsExperiments() {}

    /** Picks a figure of a setting, with names and values of other columns by turns. */
    private static Pick pick(String column, Setting setting, Object... where) {
        List<Object> all = new ArrayList<>(List.of("setting", setting.label()));
        all.addAll(List.of(where));
        return Pick.of(column, all.toArray());
    }

    private static List<Load> loads(int queues, Integer... clients) {
        return Stream.of(clients).map(count -> Load.of(count, queues, SIZE)).toList();
    }

    private static Pick share(Setting setting, int clients) {
        return pick("share", setting, "clients", clients, "load", "");
    }

    /** The bars of a load that keeps the machine busy. */
    private static List<Bar> busy(int clients, double share) {
        String load = " with " + clients + " clients";
        List<Bar> bars = new ArrayList<>(List.of(
                Bar.atLeast(share, "confidentiality keeps of none" + load, share(CONFIDENTIALITY, clients)),
                Bar.atMost(
                        0.020,
                        "confidentiality adds ms of processor time" + load,
                        pick("added_cpu_ms", CONFIDENTIALITY, "clients", clients)),
                Bar.atMost(1 / 0.99, "no plugin, of one without a policy" + load, share(Setting.PLAIN, clients))));
        for (Setting signed : List.of(INTEGRITY, PRIVACY)) {
            bars.add(Bar.atLeast(
                    0.95,
                    signed.label() + " keeps of what its primitives leave" + load,
                    share(signed, clients).over(pick("limit", signed, "clients", clients))));
        }
        return bars;
    }

    private static Experiment roundTrips() {
        List<Setting> p256 = List.of(
                Setting.NONE,
                Setting.PLAIN,
                CONFIDENTIALITY,
                Setting.of(Protection.CONFIDENTIALITY, Setting.UNLIMITED, KeyKind.P256),
                PRIVACY,
                INTEGRITY);
        List<Setting> all = new ArrayList<>(p256);
        all.addAll(List.of(
                Setting.confidentiality(KeyKind.RSA2048),
                Setting.of(Protection.PRIVACY, "", KeyKind.RSA2048),
                Setting.of(Protection.INTEGRITY, "", KeyKind.RSA2048),
                Setting.of(Protection.CLIENT_CONFIDENTIALITY, "32", KeyKind.P256)));
        List<Bar> bars = new ArrayList<>(busy(32, 0.95));
        bars.addAll(busy(81, 0.95));
        Pick none = pick("p50_us", Setting.NONE, "clients", 1);
        bars.add(Bar.atMost(
                1.05,
                "latency with confidentiality, of none",
                pick("p50_us", CONFIDENTIALITY, "clients", 1).over(none)));
        bars.add(Bar.atMost(
                1.15,
                "latency with privacy, of none",
                pick("p50_us", PRIVACY, "clients", 1).over(none)));
        return new Experiment(
                "rr",
                "Requests and replies through a broker, from end to end",
                "",
                Experiment.parts(
                        List.of(new Part("", all, loads(1, 1, 8, 32, 81), new Timing(25, 2.5, 6))),
                        List.of(new Part("", p256, loads(1, 32), QUICK))),
                bars,
                List.of(),
                null);
    }

    /** Figures 1 and 2: the qualities under more and more clients, on one queue or on 21. */
    private static Experiment clients(int number) {
        boolean isOneQueue = number == 1;
        int queues = isOneQueue ? 1 : 21;
        int most = isOneQueue ? 81 : 241;
        List<Setting> quick = List.of(Setting.NONE, CONFIDENTIALITY, PRIVACY, AMS_CONFIDENTIALITY, AMS_PRIVACY);
        List<Setting> all = new ArrayList<>(quick);
        all.addAll(List.of(Setting.PLAIN, INTEGRITY, AMS_INTEGRITY, Setting.confidentiality(KeyKind.RSA2048)));
        List<Load> loads = isOneQueue ? loads(1, 1, 21, 32, 51, 81) : loads(21, 1, 21, 61, 141, 241);
        List<Part> full = new ArrayList<>(List.of(new Part("", all, loads, FULL)));
        List<Bar> bars = new ArrayList<>(busy(most, isOneQueue ? 0.95 : 0.93));
        bars.addAll(List.of(
                Bar.atLeast(
                        1,
                        "shape: AMS confidentiality / AMS privacy",
                        share(AMS_CONFIDENTIALITY, most).over(share(AMS_PRIVACY, most))),
                Bar.atMost(
                        1,
                        "shape: AMS privacy / AMS integrity",
                        share(AMS_PRIVACY, most).over(share(AMS_INTEGRITY, most))),
                Bar.atLeast(
                        1,
                        "Signet's confidentiality / that of AMS",
                        share(CONFIDENTIALITY, most).over(share(AMS_CONFIDENTIALITY, most))),
                Bar.atLeast(
                        3,
                        "Signet's privacy / that of AMS",
                        share(PRIVACY, most).over(share(AMS_PRIVACY, most)))));
        if (!isOneQueue) {
            full.add(new Part(
                    "anonymous",
                    List.of(Setting.NONE, CONFIDENTIALITY, AMS_CONFIDENTIALITY),
                    List.of(Load.of(32, 1, SIZE), Load.of(32, 1, SIZE).withAnonymousProducers()),
                    FULL));
            bars.addAll(List.of(
                    Bar.atMost(
                            1.05 / 32,
                            "keys that Signet unwraps for a message, 241 clients",
                            pick("unwraps", CONFIDENTIALITY, "part", "", "clients", most)),
                    Bar.atLeast(
                            0.98,
                            "anonymous / named producers with confidentiality",
                            pick("share", CONFIDENTIALITY, "part", "anonymous", "load", "anonymous")
                                    .over(pick("share", CONFIDENTIALITY, "part", "anonymous", "load", "")))));
        }
        Published.Chart figure = AMS.figure("figure-" + number);
        List<Published> published = new ArrayList<>();
        Map<String, List<Setting>> curves = Map.of(
                "confidentiality.32", List.of(AMS_CONFIDENTIALITY, CONFIDENTIALITY),
                "privacy", List.of(AMS_PRIVACY, PRIVACY),
                "integrity", List.of(AMS_INTEGRITY, INTEGRITY));
        for (String curve : List.of("confidentiality.32", "privacy", "integrity")) {
            for (int count : List.of(21, most)) {
                published.add(new Published(
                        "AMS figure " + number + ": share of none, " + curve + ", " + count + " clients",
                        figure.ratio(curve, "none", count),
                        share(curves.get(curve).get(0), count),
                        share(curves.get(curve).get(1), count)));
            }
        }
        List<Chart.Point> points = curves.keySet().stream()
                .sorted()
                .flatMap(curve ->
                        figure.at().stream().map(at -> new Chart.Point(curve, at, figure.ratio(curve, "none", at))))
                .toList();
        return new Experiment(
                "figure " + number,
                "IBM's figure " + number + ": qualities under more clients, on "
                        + (isOneQueue ? "one queue" : "21 queues"),
                AMS.source() + ". " + AMS.reading(),
                Experiment.parts(full, List.of(new Part("", quick, loads(queues, most), QUICK))),
                bars,
                published,
                isOneQueue
                        ? new Chart(
                                "Round trips relative to none, one queue",
                                Chart.Kind.LINES,
                                Map.of("part", ""),
                                "clients",
                                "share",
                                points)
                        : null);
    }

    /** Figure 3: the reuse of keys. Each requester has a responder and queues of its own. */
    private static Experiment reuse() {
        List<String> reuses = List.of(Setting.UNLIMITED, "64", "32", "16", "8", "4", "2", "1", "0");
        Published.Chart figure = AMS.figure("figure-3");
        List<Published> published = new ArrayList<>();
        for (String reuse : reuses.subList(1, reuses.size())) {
            Setting ams = Setting.of(Protection.AMS_CONFIDENTIALITY, reuse, KeyKind.RSA2048);
            Setting signet = Setting.of(Protection.CONFIDENTIALITY, reuse, KeyKind.P256);
            if (!reuse.equals("64") && !reuse.equals("16") && !reuse.equals("4")) {
                published.add(new Published(
                        "AMS figure 3: share of unlimited reuse, reuse " + reuse + ", 21 pairs",
                        figure.ratio("confidentiality." + reuse, "confidentiality.unlimited", 21),
                        ofUnlimited(ams),
                        ofUnlimited(signet)));
            }
        }
        return new Experiment(
                "figure 3",
                "IBM's figure 3: reuse of keys, on queues of their own",
                AMS.source() + ". " + AMS.reading(),
                Experiment.parts(
                        reuseParts(reuses, loads(21, 21), FULL),
                        reuseParts(List.of(Setting.UNLIMITED, "32", "1"), loads(21, 21), new Timing(12, 0.7, 4))),
                List.of(
                        Bar.atLeast(0.99, "confidentiality(32) keeps of unlimited reuse", ofUnlimited(CONFIDENTIALITY)),
                        Bar.atLeast(0.95, "confidentiality(32) keeps of none", share(CONFIDENTIALITY, 21)),
                        Bar.atLeast(0.90, "shape: AMS(32) of unlimited reuse", ofUnlimited(AMS_CONFIDENTIALITY)),
                        Bar.atMost(
                                0.75,
                                "shape: AMS(1) of unlimited reuse",
                                ofUnlimited(Setting.of(Protection.AMS_CONFIDENTIALITY, "1", KeyKind.RSA2048)))),
                published,
                null);
    }

    private static Pick ofUnlimited(Setting setting) {
        Setting unlimited = Setting.of(setting.protection(), Setting.UNLIMITED, setting.key());
        return share(setting, 21).over(share(unlimited, 21));
    }

    private static List<Part> reuseParts(List<String> reuses, List<Load> loads, Timing timing) {
        return Stream.of(Protection.AMS_CONFIDENTIALITY, Protection.CONFIDENTIALITY)
                .map(protection -> {
                    List<Setting> settings = new ArrayList<>(List.of(Setting.NONE));
                    reuses.forEach(reuse -> settings.add(Setting.of(protection, reuse, KeyKind.P256)));
                    settings.add(protection.isAms() ? AMS_PRIVACY : PRIVACY);
                    return new Part(protection.isAms() ? "ams" : "signet", settings, loads, timing);
                })
                .toList();
    }

    /** Figure 4: get buffers, consumer windows, the limit of large messages, and the memory of addresses. */
    private static Experiment sizes() {
        int small = 2_048;
        int large = 20_480;
        int limit = 100 * 1024; // of Artemis for large messages
        List<Setting> ams = List.of(Setting.NONE, AMS_CONFIDENTIALITY);
        List<Setting> signet = List.of(Setting.NONE, CONFIDENTIALITY);
        List<Load> buffers = Stream.of(1, 21, 81, 241)
                .flatMap(clients -> Stream.of(large, small)
                        .map(size -> Load.of(clients, 21, SIZE).withBuffer(size)))
                .toList();
        List<Load> windows = Stream.of(0, 2_048, 1 << 20)
                .map(window -> Load.of(21, 21, SIZE).withWindow(window))
                .toList();
        // sealed ones stay below the limit; sealed ones exceed it and plain ones do not; both exceed it
        List<Load> sizes = Stream.of(limit - 4096, limit - 640, limit + 4096)
                .map(size -> Load.of(8, 1, size))
                .toList();
        List<Load> memories = Stream.of(16 << 10, 128 << 10, 1 << 20)
                .map(memory -> Load.of(81, 1, SIZE).withMemory(memory))
                .toList();
        Published.Chart figure = AMS.figure("figure-4");
        List<Published> published = Stream.of(1, 21, 81, 241)
                .map(clients -> new Published(
                        "AMS figure 4: rate with a get buffer of 2 KB, of 20 KB, clients: " + clients,
                        figure.ratio("buffer.2KB", "buffer.20KB", clients),
                        buffer(clients, small).over(buffer(clients, large)),
                        null))
                .toList();
        List<Bar> bars = new ArrayList<>(List.of(Bar.atMost(
                0.8,
                "shape: AMS with a get buffer of 2 KB, of 20 KB, 241 clients",
                buffer(241, small).over(buffer(241, large)))));
        windows.forEach(load -> bars.add(Bar.atLeast(
                0.95,
                "confidentiality keeps of none, " + load.label(),
                pick("share", CONFIDENTIALITY, "load", load.label()))));
        Pick below = pick("share", CONFIDENTIALITY, "size", limit - 4096);
        List.of(limit - 640, limit + 4096)
                .forEach(size -> bars.add(Bar.atLeast(
                        0.95,
                        "across the limit of large messages, " + size + " bytes, of below",
                        pick("share", CONFIDENTIALITY, "size", size).over(below))));
        Pick roomy = pick("share", CONFIDENTIALITY, "load", memories.get(2).label());
        memories.subList(0, 2)
                .forEach(load -> bars.add(Bar.atLeast(
                        0.95,
                        "an address with little memory, " + load.label() + ", of 1 MiB",
                        pick("share", CONFIDENTIALITY, "load", load.label()).over(roomy))));
        return new Experiment(
                "figure 4",
                "IBM's figure 4, and other sizes at which the speed falls",
                AMS.source() + ". " + AMS.reading(),
                Experiment.parts(
                        List.of(
                                new Part("get buffers", ams, buffers, FULL),
                                new Part("consumer windows", signet, windows, FULL),
                                new Part("large messages", signet, sizes, FULL),
                                new Part("memory of addresses", signet, memories, FULL)),
                        List.of(
                                new Part("get buffers", ams, buffers.subList(6, 8), QUICK),
                                new Part("large messages", signet, sizes.subList(0, 2), QUICK),
                                new Part(
                                        "memory of addresses",
                                        signet,
                                        List.of(memories.get(0), memories.get(2)),
                                        QUICK))),
                bars,
                published,
                null);
    }

    private static Pick buffer(int clients, int size) {
        return pick("rate", AMS_CONFIDENTIALITY, "clients", clients, "load", "buffer " + size);
    }

    /** Protection of messages beside protection of connections, and both, on shared and on dedicated queues. */
    private static Experiment tls() {
        Setting tls = Setting.NONE.withTls();
        List<Setting> settings = List.of(Setting.NONE, tls, CONFIDENTIALITY, CONFIDENTIALITY.withTls());
        Part dedicated = new Part("dedicated queues", settings, loads(21, 21), FULL);
        List<Bar> bars = new ArrayList<>();
        for (int clients : List.of(10, 32, 81, 200)) {
            bars.add(Bar.atLeast(
                    1,
                    "confidentiality / TLS on shared queues, " + clients + " clients",
                    pick("share", CONFIDENTIALITY, "part", "shared queues", "clients", clients)
                            .over(pick("share", tls, "part", "shared queues", "clients", clients))));
        }
        Pick ours = pick("share", CONFIDENTIALITY, "part", "dedicated queues");
        Pick oursTls = pick("share", tls, "part", "dedicated queues");
        bars.add(Bar.atLeast(1, "confidentiality / TLS on dedicated queues", ours.over(oursTls)));
        Published.Chart shared = APPLIANCE.figure("shared-queues");
        Published.Chart own = APPLIANCE.figure("dedicated-queues");
        return new Experiment(
                "tls",
                "Protected messages beside protected connections",
                APPLIANCE.source() + ". " + APPLIANCE.reading(),
                Experiment.parts(
                        List.of(new Part("shared queues", settings, loads(10, 10, 32, 81, 200), FULL), dedicated),
                        List.of(
                                new Part("shared queues", settings, loads(10, 32), QUICK),
                                new Part("dedicated queues", settings, loads(21, 21), QUICK))),
                bars,
                List.of(
                        new Published(
                                "AMS on the appliance: confidentiality / TLS, shared queues, 200 clients",
                                shared.ratio("confidentiality.32", "tls.no-reset", 200),
                                null,
                                pick("share", CONFIDENTIALITY, "part", "shared queues", "clients", 200)
                                        .over(pick("share", tls, "part", "shared queues", "clients", 200))),
                        new Published(
                                "AMS on the appliance: share of none, confidentiality, dedicated queues",
                                own.ratio("confidentiality.32", "none", 200),
                                null,
                                ours),
                        new Published(
                                "AMS on the appliance: share of none, TLS, dedicated queues",
                                own.ratio("tls", "none", 200),
                                oursTls,
                                null)),
                new Chart(
                        "Round trips relative to none, shared queues",
                        Chart.Kind.BARS,
                        Map.of("part", "shared queues"),
                        "clients",
                        "share",
                        List.of()));
    }
}
