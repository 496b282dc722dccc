/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.signetmq.perf.experiment.Experiment.joined;
import static org.signetmq.perf.result.Bar.atLeast;
import static org.signetmq.perf.result.Bar.atMost;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.pair.Part;
import org.signetmq.perf.pair.Part.Timing;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.perf.pair.Setting.Protection;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Chart.Kind;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Published;
import org.signetmq.perf.result.Published.Document;

/**
 * Round trips through a broker: those of users, and those of IBM's papers on AMS, in the manner of AMS and with Signet.
 */
final class AmsExperiments {
    private static final Timing FULL = new Timing(25, 1, 4);
    private static final Timing QUICK = new Timing(9, 0.7, 3);
    private static final int SIZE = Load.USUAL_SIZE;

    private static final Document AMS = Document.read("ams");
    private static final Document APPLIANCE = Document.read("ams-appliance");

    private static final Setting CONFIDENTIALITY = Setting.confidentiality(KeyKind.P256);
    private static final Setting PRIVACY = Setting.of(Protection.PRIVACY, "", KeyKind.P256);
    private static final Setting INTEGRITY = Setting.of(Protection.INTEGRITY, "", KeyKind.P256);
    private static final Setting AUTHENTICITY = reusing(Protection.AUTHENTICITY, "32");
    private static final Setting INTEGRITY_SHARED = reusing(Protection.INTEGRITY_SHARED, "");
    private static final Setting PRIVACY_SHARED = reusing(Protection.PRIVACY_SHARED, "");
    private static final Setting AMS_CONFIDENTIALITY = reusing(Protection.AMS_CONFIDENTIALITY, "32");
    private static final Setting AMS_PRIVACY = reusing(Protection.AMS_PRIVACY, "");
    private static final Setting AMS_INTEGRITY = reusing(Protection.AMS_INTEGRITY, "");
    private static final List<Setting> AMS_SETTINGS = List.of(AMS_CONFIDENTIALITY, AMS_PRIVACY, AMS_INTEGRITY);
    private static final List<String> CURVES = List.of("confidentiality.32", "privacy", "integrity");

    static final List<Experiment> ALL = List.of(
            roundTrips(), sealedByClients(), proof(), postQuantum(), clients(1), clients(2), reuse(), sizes(), tls());

    private AmsExperiments() {}

    private static Setting reusing(Protection protection, String reuse) {
        return Setting.of(protection, reuse, KeyKind.P256);
    }

    /** Picks a figure of a setting, with names and values of other columns by turns. */
    private static Pick pick(String column, Setting setting, Object... where) {
        return Pick.of(
                column,
                joined(List.of("setting", setting.label()), List.of(where)).toArray());
    }

    private static Pick share(Setting setting, int clients) {
        return pick("share", setting, "clients", clients, "load", "");
    }

    private static List<Load> loads(int queues, Integer... clients) {
        return Stream.of(clients).map(count -> Load.of(count, queues, SIZE)).toList();
    }

    private static String source(Document document) {
        return document.source() + ". " + document.reading();
    }

    /** The bars of a load that keeps the machine busy. */
    private static List<Bar> busy(int clients, double share) {
        String load = " with " + clients + " clients";
        Pick added = pick("added_cpu_ms", CONFIDENTIALITY, "clients", clients);
        List<Bar> bars = new ArrayList<>(List.of(
                atLeast(share, "confidentiality keeps of none" + load, share(CONFIDENTIALITY, clients)),
                atMost(0.020, "confidentiality adds ms of processor time" + load, added),
                atMost(1 / 0.99, "no plugin, of one without a policy" + load, share(Setting.PLAIN, clients))));
        for (Setting signed : List.of(INTEGRITY, PRIVACY)) {
            Pick ofLimit = share(signed, clients).over(pick("limit", signed, "clients", clients));
            bars.add(atLeast(0.95, signed.label() + " keeps of what its primitives leave" + load, ofLimit));
        }
        return bars;
    }

    private static Experiment roundTrips() {
        Setting unlimited = reusing(Protection.CONFIDENTIALITY, Setting.UNLIMITED);
        List<Setting> p256 = List.of(Setting.NONE, Setting.PLAIN, CONFIDENTIALITY, unlimited, PRIVACY, INTEGRITY);
        List<Setting> others = List.of(
                Setting.confidentiality(KeyKind.RSA2048),
                Setting.of(Protection.PRIVACY, "", KeyKind.RSA2048),
                Setting.of(Protection.INTEGRITY, "", KeyKind.RSA2048),
                AUTHENTICITY,
                INTEGRITY_SHARED,
                PRIVACY_SHARED,
                reusing(Protection.CLIENT_CONFIDENTIALITY, "32"));
        Pick none = pick("p50_us", Setting.NONE, "clients", 1);
        Pick confidential = pick("p50_us", CONFIDENTIALITY, "clients", 1).over(none);
        Pick confidentialAndSigned = pick("p50_us", PRIVACY, "clients", 1).over(none);
        List<Bar> latencies = List.of(
                atMost(1.05, "latency with confidentiality, of none", confidential),
                atMost(1.15, "latency with privacy, of none", confidentialAndSigned));
        return new Experiment(
                "rr",
                "Requests and replies through a broker, from end to end",
                "",
                Experiment.parts(
                        List.of(new Part("", joined(p256, others), loads(1, 1, 8, 32, 81), new Timing(25, 2.5, 6))),
                        List.of(new Part("", p256, loads(1, 32), QUICK))),
                joined(busy(32, 0.95), busy(81, 0.95), latencies),
                List.of(),
                null);
    }

    /** Each quality sealed by the broker and by the clients, and producers in one process and in many. */
    private static Experiment sealedByClients() {
        Map<Setting, Setting> byClients = new LinkedHashMap<>();
        byClients.put(CONFIDENTIALITY, reusing(Protection.CLIENT_CONFIDENTIALITY, "32"));
        byClients.put(AUTHENTICITY, reusing(Protection.CLIENT_AUTHENTICITY, "32"));
        byClients.put(PRIVACY, reusing(Protection.CLIENT_PRIVACY, ""));
        byClients.put(INTEGRITY, reusing(Protection.CLIENT_INTEGRITY, ""));
        Setting client = byClients.get(CONFIDENTIALITY);
        List<Setting> all = joined(
                List.of(Setting.NONE), List.copyOf(byClients.keySet()), List.copyOf(byClients.values()), AMS_SETTINGS);
        List<Setting> few = List.of(Setting.NONE, CONFIDENTIALITY, client);
        Load fanIn = Load.of(241, 21, SIZE);
        List<Bar> bars = new ArrayList<>();
        for (int clients : List.of(32, 81, 241)) {
            bars.add(atLeast(
                    0.9,
                    "confidentiality sealed by clients / by the broker, " + clients + " clients",
                    share(client, clients).over(share(CONFIDENTIALITY, clients))));
        }
        List<Published> published = new ArrayList<>();
        List<Setting> asPublished = Stream.of(CONFIDENTIALITY, PRIVACY, INTEGRITY)
                .map(byClients::get)
                .toList();
        for (int i = 0; i < CURVES.size(); i++) {
            published.add(ofFigure(1, i, 81, asPublished));
        }
        return new Experiment(
                "rr client",
                "Requests and replies, sealed by the broker and by the clients",
                source(AMS),
                Experiment.parts(
                        List.of(
                                new Part("", all, loads(1, 1, 32, 81), FULL),
                                new Part("fan-in", few, List.of(fanIn, fanIn.withProcesses(8)), FULL)),
                        List.of(new Part("", few, loads(1, 32), QUICK))),
                bars,
                published,
                null);
    }

    /** Qualities that prove the sender, beside those that do not, in one sitting of some twenty minutes. */
    private static Experiment proof() {
        List<Setting> settings = List.of(
                Setting.NONE, CONFIDENTIALITY, AUTHENTICITY, INTEGRITY, INTEGRITY_SHARED, PRIVACY, PRIVACY_SHARED);
        List<Bar> bars = new ArrayList<>();
        for (int clients : List.of(32, 81)) {
            String load = " with " + clients + " clients";
            Pick ofConfidentiality = share(AUTHENTICITY, clients).over(share(CONFIDENTIALITY, clients));
            bars.add(atLeast(0.98, "authenticity / confidentiality" + load, ofConfidentiality));
            for (Setting encrypted : List.of(CONFIDENTIALITY, AUTHENTICITY)) {
                bars.add(atLeast(0.93, encrypted.label() + " keeps of none" + load, share(encrypted, clients)));
                Pick added = pick("added_cpu_ms", encrypted, "clients", clients);
                bars.add(atMost(0.025, encrypted.label() + " adds ms of processor time" + load, added));
            }
        }
        for (Setting encrypted : List.of(CONFIDENTIALITY, AUTHENTICITY)) {
            Pick latency = pick("p50_us", encrypted, "clients", 32).over(pick("p50_us", Setting.NONE, "clients", 32));
            bars.add(atMost(1.12, "latency with " + encrypted.label() + ", of none, 32 clients", latency));
        }
        Map<Setting, Setting> single = Map.of(INTEGRITY_SHARED, INTEGRITY, PRIVACY_SHARED, PRIVACY);
        for (Setting shared : List.of(INTEGRITY_SHARED, PRIVACY_SHARED)) {
            bars.add(atLeast(0.8, shared.label() + " keeps of none with 81 clients", share(shared, 81)));
            Pick alone = share(shared, 1).over(share(Objects.requireNonNull(single.get(shared)), 1));
            bars.add(atLeast(0.97, shared.label() + " / a signature of its own, one client", alone));
        }
        return sitting("proof", "Requests and replies with qualities that prove the sender", settings, 5, bars);
    }

    /** Recipients with ML-KEM keys and signers with ML-DSA keys, alone and beside P-256, and shared signatures. */
    private static Experiment postQuantum() {
        Setting confidentiality = Setting.confidentiality(KeyKind.PQ);
        Setting hybrid = Setting.confidentiality(KeyKind.HYBRID);
        List<Setting> settings = List.of(
                Setting.NONE,
                CONFIDENTIALITY,
                confidentiality,
                hybrid,
                PRIVACY,
                Setting.of(Protection.PRIVACY, "", KeyKind.PQ),
                Setting.of(Protection.PRIVACY, "", KeyKind.HYBRID),
                Setting.of(Protection.PRIVACY_SHARED, "", KeyKind.PQ));
        List<Bar> bars = Stream.of(confidentiality, hybrid)
                .map(setting -> atLeast(
                        0.95,
                        setting.label() + " / " + CONFIDENTIALITY.label() + " with 81 clients",
                        share(setting, 81).over(share(CONFIDENTIALITY, 81))))
                .toList();
        return sitting("pq", "Requests and replies with post-quantum keys", settings, 3, bars);
    }

    /** Returns an experiment with 1, 32 and 81 clients in one sitting of some 20 minutes. */
    private static Experiment sitting(String name, String title, List<Setting> settings, int rounds, List<Bar> bars) {
        return new Experiment(
                name,
                title,
                "",
                Experiment.parts(
                        List.of(new Part("", settings, loads(1, 1, 32, 81), new Timing(75, 2.5, rounds))),
                        List.of(new Part("", settings, loads(1, 32), QUICK))),
                bars,
                List.of(),
                null);
    }

    /** Returns a published share of none, beside that of AMS's manner and of one of these settings. */
    private static Published ofFigure(int number, int curve, int clients, List<Setting> settings) {
        return new Published(
                "AMS figure " + number + ": share of none, " + CURVES.get(curve) + ", " + clients + " clients",
                AMS.figure("figure-" + number).ratio(CURVES.get(curve), "none", clients),
                share(AMS_SETTINGS.get(curve), clients),
                share(settings.get(curve), clients));
    }

    /** Figures 1 and 2: the qualities under more and more clients, on one queue or on 21. */
    private static Experiment clients(int number) {
        boolean isOneQueue = number == 1;
        int queues = isOneQueue ? 1 : 21;
        int most = isOneQueue ? 81 : 241;
        List<Setting> few = List.of(Setting.NONE, CONFIDENTIALITY, PRIVACY, AMS_CONFIDENTIALITY, AMS_PRIVACY);
        List<Setting> others =
                List.of(Setting.PLAIN, INTEGRITY, AMS_INTEGRITY, Setting.confidentiality(KeyKind.RSA2048));
        List<Load> loads = isOneQueue ? loads(1, 1, 21, 32, 51, 81) : loads(21, 1, 21, 61, 141, 241);
        List<Part> full = new ArrayList<>(List.of(new Part("", joined(few, others), loads, FULL)));
        Pick signetPrivacy = share(PRIVACY, most);
        Pick signetConfidentiality = share(CONFIDENTIALITY, most);
        Pick integrity = share(AMS_INTEGRITY, most);
        Pick privacy = share(AMS_PRIVACY, most);
        Pick confidentiality = share(AMS_CONFIDENTIALITY, most);
        List<Bar> bars = new ArrayList<>(busy(most, isOneQueue ? 0.95 : 0.93));
        Collections.addAll(
                bars,
                atLeast(1, "shape: AMS confidentiality / AMS privacy", confidentiality.over(privacy)),
                atMost(1, "shape: AMS privacy / AMS integrity", privacy.over(integrity)),
                atLeast(1, "Signet's confidentiality / that of AMS", signetConfidentiality.over(confidentiality)),
                atLeast(3, "Signet's privacy / that of AMS", signetPrivacy.over(privacy)));
        if (!isOneQueue) {
            List<Setting> settings = List.of(Setting.NONE, CONFIDENTIALITY, AMS_CONFIDENTIALITY);
            Load named = Load.of(32, 1, SIZE);
            full.add(new Part("anonymous", settings, List.of(named, named.withAnonymousProducers()), FULL));
            Pick unwraps = pick("unwraps", CONFIDENTIALITY, "part", "", "clients", most);
            bars.add(atMost(1.05 / 32, "keys that Signet unwraps for a message, 241 clients", unwraps));
            Pick anonymous = pick("share", CONFIDENTIALITY, "part", "anonymous", "load", "anonymous")
                    .over(pick("share", CONFIDENTIALITY, "part", "anonymous", "load", ""));
            bars.add(atLeast(0.98, "anonymous / named producers with confidentiality", anonymous));
        }
        Published.Chart figure = AMS.figure("figure-" + number);
        List<Published> published = new ArrayList<>();
        List<Chart.Point> points = new ArrayList<>();
        for (int i = 0; i < CURVES.size(); i++) {
            String curve = CURVES.get(i);
            published.add(ofFigure(number, i, 21, List.of(CONFIDENTIALITY, PRIVACY, INTEGRITY)));
            published.add(ofFigure(number, i, most, List.of(CONFIDENTIALITY, PRIVACY, INTEGRITY)));
            figure.at().forEach(at -> points.add(new Chart.Point(curve, at, figure.ratio(curve, "none", at))));
        }
        String title = "Round trips relative to none, one queue";
        return new Experiment(
                "figure " + number,
                "IBM's figure " + number + ": qualities under more clients, on "
                        + (isOneQueue ? "one queue" : "21 queues"),
                source(AMS),
                Experiment.parts(full, List.of(new Part("", few, loads(queues, most), QUICK))),
                bars,
                published,
                isOneQueue ? new Chart(title, Kind.LINES, Map.of("part", ""), "clients", "share", points) : null);
    }

    /** Figure 3: the reuse of keys. Each requester has a responder and queues of its own. */
    private static Experiment reuse() {
        Published.Chart figure = AMS.figure("figure-3");
        List<Published> published = Stream.of("32", "8", "2", "1", "0")
                .map(reuse -> new Published(
                        "AMS figure 3: share of unlimited reuse, reuse " + reuse + ", 21 pairs",
                        figure.ratio("confidentiality." + reuse, "confidentiality.unlimited", 21),
                        ofUnlimited(Protection.AMS_CONFIDENTIALITY, reuse),
                        ofUnlimited(Protection.CONFIDENTIALITY, reuse)))
                .toList();
        Pick signet32 = ofUnlimited(Protection.CONFIDENTIALITY, "32");
        Pick ams32 = ofUnlimited(Protection.AMS_CONFIDENTIALITY, "32");
        Pick ams1 = ofUnlimited(Protection.AMS_CONFIDENTIALITY, "1");
        return new Experiment(
                "figure 3",
                "IBM's figure 3: reuse of keys, on queues of their own",
                source(AMS),
                Experiment.parts(
                        reuseParts(FULL, Setting.UNLIMITED, "64", "32", "16", "8", "4", "2", "1", "0"),
                        reuseParts(QUICK, Setting.UNLIMITED, "32", "1")),
                List.of(
                        atLeast(0.99, "confidentiality(32) keeps of unlimited reuse", signet32),
                        atLeast(0.95, "confidentiality(32) keeps of none", share(CONFIDENTIALITY, 21)),
                        atLeast(0.90, "shape: AMS(32) of unlimited reuse", ams32),
                        atMost(0.75, "shape: AMS(1) of unlimited reuse", ams1)),
                published,
                null);
    }

    private static Pick ofUnlimited(Protection protection, String reuse) {
        return share(reusing(protection, reuse), 21).over(share(reusing(protection, Setting.UNLIMITED), 21));
    }

    private static List<Part> reuseParts(Timing timing, String... reuses) {
        return Stream.of(Protection.AMS_CONFIDENTIALITY, Protection.CONFIDENTIALITY)
                .map(protection -> {
                    List<Setting> settings = new ArrayList<>(List.of(Setting.NONE));
                    Stream.of(reuses).forEach(reuse -> settings.add(reusing(protection, reuse)));
                    settings.add(protection.isAms() ? AMS_PRIVACY : PRIVACY);
                    return new Part(protection.isAms() ? "ams" : "signet", settings, loads(21, 21), timing);
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
        List<Integer> getters = List.of(1, 21, 81, 241);
        List<Load> buffers = getters.stream()
                .map(clients -> Load.of(clients, 21, SIZE))
                .flatMap(load -> Stream.of(load.withBuffer(large), load.withBuffer(small)))
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
        List<Published> published = getters.stream()
                .map(clients -> new Published(
                        "AMS figure 4: rate with a get buffer of 2 KB, of 20 KB, clients: " + clients,
                        figure.ratio("buffer.2KB", "buffer.20KB", clients),
                        buffer(clients, small).over(buffer(clients, large)),
                        null))
                .toList();
        List<Bar> bars = new ArrayList<>();
        Pick smallOfLarge = buffer(241, small).over(buffer(241, large));
        bars.add(atMost(0.8, "shape: AMS with a get buffer of 2 KB, of 20 KB, 241 clients", smallOfLarge));
        windows.forEach(load ->
                bars.add(atLeast(0.95, "confidentiality keeps of none, " + load.label(), share("load", load.label()))));
        Pick below = share("size", limit - 4096);
        for (int size : List.of(limit - 640, limit + 4096)) {
            String name = "across the limit of large messages, " + size + " bytes, of below";
            bars.add(atLeast(0.95, name, share("size", size).over(below)));
        }
        Pick roomy = share("load", memories.get(2).label());
        for (Load load : memories.subList(0, 2)) {
            String name = "an address with little memory, " + load.label() + ", of 1 MiB";
            bars.add(atLeast(0.95, name, share("load", load.label()).over(roomy)));
        }
        List<Load> leastAndMost = List.of(memories.get(0), memories.get(2));
        return new Experiment(
                "figure 4",
                "IBM's figure 4, and other sizes at which the speed falls",
                source(AMS),
                Experiment.parts(
                        List.of(
                                new Part("get buffers", ams, buffers, FULL),
                                new Part("consumer windows", signet, windows, FULL),
                                new Part("large messages", signet, sizes, FULL),
                                new Part("memory of addresses", signet, memories, FULL)),
                        List.of(
                                new Part("get buffers", ams, buffers.subList(6, 8), QUICK),
                                new Part("large messages", signet, sizes.subList(0, 2), QUICK),
                                new Part("memory of addresses", signet, leastAndMost, QUICK))),
                bars,
                published,
                null);
    }

    /** Picks the share of confidentiality where a column has a value. */
    private static Pick share(String column, Object value) {
        return pick("share", CONFIDENTIALITY, column, value);
    }

    private static Pick buffer(int clients, int size) {
        return pick("rate", AMS_CONFIDENTIALITY, "clients", clients, "load", "buffer " + size);
    }

    /** Protection of messages beside protection of connections, and both, on shared and on dedicated queues. */
    private static Experiment tls() {
        String shared = "shared queues";
        String dedicated = "dedicated queues";
        Setting tls = Setting.NONE.withTls();
        List<Setting> settings = List.of(Setting.NONE, tls, CONFIDENTIALITY, CONFIDENTIALITY.withTls());
        IntFunction<Pick> ofTls = clients -> pick("share", CONFIDENTIALITY, "part", shared, "clients", clients)
                .over(pick("share", tls, "part", shared, "clients", clients));
        List<Bar> bars = new ArrayList<>();
        for (int clients : List.of(10, 32, 81, 200)) {
            String name = "confidentiality / TLS on shared queues, " + clients + " clients";
            bars.add(atLeast(1, name, ofTls.apply(clients)));
        }
        Pick ours = pick("share", CONFIDENTIALITY, "part", dedicated);
        Pick oursTls = pick("share", tls, "part", dedicated);
        bars.add(atLeast(1, "confidentiality / TLS on dedicated queues", ours.over(oursTls)));
        double ratio = APPLIANCE.figure("shared-queues").ratio("confidentiality.32", "tls.no-reset", 200);
        Published.Chart own = APPLIANCE.figure("dedicated-queues");
        String paper = "AMS on the appliance: ";
        String title = "Round trips relative to none, shared queues";
        return new Experiment(
                "tls",
                "Protected messages beside protected connections",
                source(APPLIANCE),
                Experiment.parts(
                        List.of(
                                new Part(shared, settings, loads(10, 10, 32, 81, 200), FULL),
                                new Part(dedicated, settings, loads(21, 21), FULL)),
                        List.of(
                                new Part(shared, settings, loads(10, 32), QUICK),
                                new Part(dedicated, settings, loads(21, 21), QUICK))),
                bars,
                List.of(
                        new Published(
                                paper + "confidentiality / TLS, shared queues, 200 clients",
                                ratio,
                                null,
                                ofTls.apply(200)),
                        new Published(
                                paper + "share of none, confidentiality, dedicated queues",
                                own.ratio("confidentiality.32", "none", 200),
                                null,
                                ours),
                        new Published(
                                paper + "share of none, TLS, dedicated queues",
                                own.ratio("tls", "none", 200),
                                oursTls,
                                null)),
                new Chart(title, Kind.BARS, Map.of("part", shared), "clients", "share", List.of()));
    }
}
