/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.perf.published.PublishedCurve;
import org.signetmq.perf.published.PublishedDocument;
import org.signetmq.perf.published.PublishedFigure;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Load.Producers;
import org.signetmq.perf.setting.Load.Style;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;

/** Figures 1 and 2: the qualities under more and more clients, on one queue or on 21. */
record ClientsStudy(String name, int queues, List<Integer> clients, List<Integer> quickClients) implements Study {
    static final String ANONYMOUS = "anonymous producers";
    private static final int PRODUCERS = 32;
    /** The cores of both published client machines. */
    private static final int PUBLISHED_CORES = 48;

    static final String PUBLISHED_CPU = "published_added_cpu_ms";

    private static final Reuse REUSE = new Reuse("32");

    static final ClientsStudy SINGLE_QUEUE =
            new ClientsStudy("figure-1", 1, List.of(1, 21, 32, 51, 81), List.of(32, 81));
    static final ClientsStudy MANY_QUEUES =
            new ClientsStudy("figure-2", 21, List.of(1, 21, 61, 141, 241), List.of(241));

    @Override
    public List<Plan> plans(Length length, Timing timing) {
        List<Setting> settings = new ArrayList<>(List.of(
                Setting.NONE,
                signet(Protection.CONFIDENTIALITY, KeyKind.P256),
                signet(Protection.PRIVACY, KeyKind.P256),
                signet(Protection.AMS_CONFIDENTIALITY, KeyKind.RSA2048),
                signet(Protection.AMS_PRIVACY, KeyKind.RSA2048)));
        if (length == Length.FULL) { // each setting more costs half a minute, in which Java compiles
            settings.addAll(List.of(
                    Setting.PLAIN,
                    signet(Protection.INTEGRITY, KeyKind.P256),
                    signet(Protection.AMS_INTEGRITY, KeyKind.RSA2048),
                    signet(Protection.CONFIDENTIALITY, KeyKind.RSA2048)));
        }
        List<Load> loads = (length == Length.FULL ? clients : quickClients)
                .stream()
                        .map(count -> Load.of(count, queues, Payload.USUAL_SIZE))
                        .toList();
        List<Plan> plans = new ArrayList<>(List.of(new Plan("", settings, loads, timing)));
        if (queues > 1) {
            plans.add(anonymousProducers(timing));
        }
        return plans;
    }

    /** Compares producers for any destination with those for one: AMS cannot use their keys again. */
    private static Plan anonymousProducers(Timing timing) {
        List<Load> loads = Stream.of(Producers.NAMED, Producers.ANONYMOUS)
                .map(producers ->
                        new Load(PRODUCERS, 1, Payload.USUAL_SIZE, new Style(producers, -1, Integer.MAX_VALUE)))
                .toList();
        List<Setting> settings = List.of(
                Setting.NONE,
                signet(Protection.CONFIDENTIALITY, KeyKind.P256),
                signet(Protection.AMS_CONFIDENTIALITY, KeyKind.RSA2048));
        return new Plan(ANONYMOUS, settings, loads, timing);
    }

    private static Setting signet(Protection protection, KeyKind key) {
        return Setting.of(protection, REUSE, key);
    }

    private PublishedFigure published() {
        return PublishedDocument.ams().figure(name);
    }

    /** Returns a row with the published share of none, read between the published numbers of clients. */
    @Override
    public List<Result> withPublished(List<Result> rows) {
        return rows.stream()
                .map(row -> row.with(Rows.PUBLISHED, publishedShare(row)).with(PUBLISHED_CPU, publishedCpu(row)))
                .toList();
    }

    /** Returns the processor time that a protection adds to a published round trip, in ms of the clients alone. */
    private double publishedCpu(Result row) {
        double at = row.number(Rows.CLIENTS);
        PublishedFigure percent = PublishedDocument.ams().figure(name + "-cpu");
        boolean isThere =
                !Double.isNaN(publishedShare(row)) && percent.curve("none").x().contains(at);
        return isThere ? cpu(percent, curve(row), at) - cpu(percent, "none", at) : Double.NaN;
    }

    private double cpu(PublishedFigure percent, String curve, double clients) {
        double cores = PUBLISHED_CORES * percent.curve(curve).at(clients) / 100;
        return 1_000 * cores / published().curve(curve).at(clients);
    }

    private static String curve(Result row) {
        return row.text("protection").replace("ams.", "") + (row.is("reuse", 32) ? ".32" : "");
    }

    private double publishedShare(Result row) {
        String curve = curve(row);
        boolean isThere = row.text(Rows.PART).isEmpty()
                && published().curves().stream()
                        .anyMatch(published -> published.name().equals(curve));
        double at = row.number(Rows.CLIENTS);
        PublishedCurve none = published().curve("none");
        return isThere && !curve.equals("none")
                ? between(published().curve(curve), at) / between(none, at)
                : Double.NaN;
    }

    private static double between(PublishedCurve curve, double x) {
        for (int i = 1; i < curve.x().size(); i++) {
            double left = curve.x().get(i - 1);
            double right = curve.x().get(i);
            if (left <= x && x <= right) {
                double weight = (x - left) / (right - left);
                return curve.y().get(i - 1) * (1 - weight) + curve.y().get(i) * weight;
            }
        }
        return Double.NaN;
    }

    @Override
    public List<Target> targets(List<Result> rows) {
        Rows all = new Rows(rows).part("");
        int most = all.mostClients();
        List<Target> targets = new ArrayList<>();
        for (int count : queues == 1 ? List.of(32, 81) : List.of(241)) {
            Rows at = all.with(Rows.CLIENTS, count);
            String name = count + " clients";
            targets.addAll(List.of(
                    at.target(name, Rows.CONFIDENTIALITY, Rows.SHARE, Bar.atLeast(queues == 1 ? 0.95 : 0.93)),
                    at.target(name, Rows.CONFIDENTIALITY, Rows.ADDED_CPU, Bar.atMost(0.020)),
                    at.target(name, "integrity.p256", "share_of_limit", Bar.atLeast(0.95)),
                    at.target(name, "privacy.p256", "share_of_limit", Bar.atLeast(0.95)),
                    at.target(name + ", plugin without policy", "plain", Rows.SHARE, Bar.atMost(1 / 0.99))));
        }
        Rows busy = all.with(Rows.CLIENTS, most);
        String shape = "shape, " + most + " clients";
        targets.addAll(List.of(
                busy.ratio(shape, Rows.AMS_CONFIDENTIALITY, "ams.privacy", Bar.atLeast(1)),
                busy.ratio(shape, "ams.privacy", "ams.integrity", Bar.atMost(1)),
                busy.target(shape, Rows.AMS_CONFIDENTIALITY, Rows.SHARE, Bar.atMost(0.95)),
                busy.ratio(shape, Rows.CONFIDENTIALITY, Rows.AMS_CONFIDENTIALITY, Bar.atLeast(1)),
                busy.ratio(shape, "privacy.p256", "ams.privacy", Bar.atLeast(3))));
        if (queues > 1) {
            targets.add(busy.target(
                    "one key is remembered, " + most + " clients",
                    Rows.AMS_CONFIDENTIALITY,
                    "unwraps_per_message",
                    Bar.atLeast(0.9)));
            targets.add(busy.target(
                    "all keys are remembered, " + most + " clients",
                    Rows.CONFIDENTIALITY,
                    "unwraps_per_message",
                    Bar.atMost(1.05 / 32)));
            targets.add(anonymous(rows, Rows.CONFIDENTIALITY, Bar.atLeast(0.98)));
            targets.add(anonymous(rows, Rows.AMS_CONFIDENTIALITY, Bar.atMost(0.8)));
        }
        return targets;
    }

    private static Target anonymous(List<Result> rows, String setting, Bar bar) {
        Rows part = new Rows(rows).part(ANONYMOUS);
        Rows named = new Rows(
                part.all().stream().filter(row -> !row.has("producers")).toList());
        return bar.target(
                "anonymous / named producers: " + setting,
                List.of(part.with("producers", "anonymous")
                        .figure(setting, Rows.SHARE)
                        .over(named.figure(setting, Rows.SHARE))));
    }

    @Override
    public void draw(List<Result> rows, ChartFolder folder) throws IOException {
        List<Result> ofPart = new Rows(rows).part("").all();
        String where = queues == 1 ? "one queue" : queues + " queues";
        new Curves()
                .add(ofPart, Rows.SHARE)
                .addPublished(published())
                .draw(folder, name, "Round trips relative to none, " + where);
    }
}
