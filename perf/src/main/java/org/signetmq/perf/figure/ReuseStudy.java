/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.signetmq.perf.published.PublishedDocument;
import org.signetmq.perf.published.PublishedFigure;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Chart.Axes;
import org.signetmq.perf.result.Chart.Scale;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.statistics.ReuseLaw;
import org.signetmq.perf.statistics.ReuseLaw.Point;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;

/** Figure 3: the reuse of keys. Each requester has a responder and queues of its own. */
record ReuseStudy() implements Study {
    private static final String AMS = "ams";
    private static final String SIGNET = "signet";
    private static final List<String> REUSES = List.of("unlimited", "64", "32", "16", "8", "4", "2", "1", "0");
    private static final List<String> QUICK_REUSES = List.of("unlimited", "32", "1"); // the law needs three

    /** Each setting warms up by itself, and ten must end within five minutes. */
    private static final int QUICK_WARM_UP_SECONDS = 12;

    private static final List<Integer> PAIRS = List.of(1, 21);
    private static final int MOST_PAIRS = 21;
    private static final double LEAST_R2 = 0.5;
    private static final String OF_UNLIMITED = "share_of_unlimited";

    @Override
    public String name() {
        return "figure-3";
    }

    @Override
    public List<Plan> plans(Length length, Timing timing) {
        boolean isFull = length == Length.FULL;
        List<Load> loads = (isFull ? PAIRS : List.of(MOST_PAIRS))
                .stream()
                        .map(pairs -> Load.of(pairs, pairs, Payload.USUAL_SIZE))
                        .toList();
        List<String> reuses = isFull ? REUSES : QUICK_REUSES;
        Timing times = isFull ? withoutPaces(timing) : quick(timing);
        return List.of(
                new Plan(AMS, settings(Protection.AMS_CONFIDENTIALITY, Protection.AMS_PRIVACY, reuses), loads, times),
                new Plan(SIGNET, settings(Protection.CONFIDENTIALITY, Protection.PRIVACY, reuses), loads, times));
    }

    private static Timing quick(Timing usual) {
        double warmUp = Math.min(QUICK_WARM_UP_SECONDS, usual.warmUpSeconds());
        return withoutPaces(new Timing(warmUp, usual.seconds(), usual.rounds(), usual.paces()));
    }

    /** The reuse of keys is a matter of throughput. */
    private static Timing withoutPaces(Timing usual) {
        return new Timing(usual.warmUpSeconds(), usual.seconds(), usual.rounds(), List.of());
    }

    private static List<Setting> settings(Protection confidentiality, Protection privacy, List<String> reuses) {
        KeyKind key = confidentiality.isAms() ? KeyKind.RSA2048 : KeyKind.P256;
        return Stream.of(
                        Stream.of(Setting.NONE),
                        reuses.stream().map(reuse -> Setting.of(confidentiality, new Reuse(reuse), key)),
                        Stream.of(Setting.of(privacy, Reuse.NONE, key)))
                .flatMap(settings -> settings)
                .toList();
    }

    private static PublishedFigure published() {
        return PublishedDocument.ams().figure("figure-3");
    }

    @Override
    public List<Result> withPublished(List<Result> rows) {
        return rows.stream()
                .map(row -> row.with(Rows.PUBLISHED, published(row, "none"))
                        .with("published_share_of_unlimited", published(row, "confidentiality.unlimited")))
                .toList();
    }

    private static double published(Result row, String relativeTo) {
        double at = row.number(Rows.CLIENTS);
        return published().curves().stream()
                .filter(curve -> curve.name().equals(curveOf(row)) && curve.x().contains(at))
                .mapToDouble(
                        curve -> curve.at(at) / published().curve(relativeTo).at(at))
                .findFirst()
                .orElse(Double.NaN);
    }

    private static String curveOf(Result row) {
        String protection = row.text("protection").replace("ams.", "");
        return protection.equals("confidentiality") ? protection + "." + row.text("reuse") : protection;
    }

    @Override
    public List<Target> targets(List<Result> rows) {
        Rows busy = new Rows(rows).with(Rows.CLIENTS, MOST_PAIRS);
        Rows ams = busy.part(AMS);
        Rows signet = busy.part(SIGNET);
        String name = MOST_PAIRS + " pairs";
        return List.of(
                signet.target(name, Rows.CONFIDENTIALITY, OF_UNLIMITED, Bar.atLeast(0.99)),
                signet.target(name, Rows.CONFIDENTIALITY, Rows.SHARE, Bar.atLeast(0.95)),
                ams.target("shape, " + name, Rows.AMS_CONFIDENTIALITY, OF_UNLIMITED, Bar.atLeast(0.90)),
                ams.target("shape, " + name, "ams.confidentiality.1", OF_UNLIMITED, Bar.atMost(0.75)),
                ams.ratio("shape, " + name, "ams.privacy", "ams.confidentiality.1", Bar.atMost(1)),
                Bar.atLeast(0.98)
                        .target(
                                "shape, " + name + ": R2 of T(N) = T + K/N, ams",
                                List.of(Figure.exact(law(ams).map(ReuseLaw::r2).orElse(Double.NaN)))),
                Bar.atMost(0.25)
                        .target(
                                name + ": K of signet / K of ams",
                                List.of(perKey(signet).over(perKey(ams)))));
    }

    /** Returns the time of a key; noisy if the times hardly follow the law. */
    private static Figure perKey(Rows rows) {
        return law(rows)
                .map(law -> new Figure(law.perKey(), law.r2() < LEAST_R2 || law.perKey() <= 0))
                .orElse(Figure.exact(Double.NaN));
    }

    /** Fits the law to the processor time of both processes, which does not depend on the number of cores. */
    private static Optional<ReuseLaw> law(Rows rows) {
        List<Point> points = new ArrayList<>();
        for (Result row : rows.all()) {
            boolean isReused = row.text("protection").endsWith("confidentiality") && !row.is("reuse", 0);
            if (isReused) {
                double keys = row.is("reuse", "unlimited") ? 0 : 1 / row.number("reuse");
                points.add(new Point(keys, row.number("cpu_ms_per_round_trip.broker") + row.number(Rows.CLIENT_CPU)));
            }
        }
        return points.stream().map(Point::keysPerMessage).distinct().count() < 3
                ? Optional.empty()
                : Optional.of(ReuseLaw.fit(points));
    }

    @Override
    public void draw(List<Result> rows, ChartFolder folder) throws IOException {
        List<Result> bars = new ArrayList<>();
        for (Result row : new Rows(rows).with(Rows.CLIENTS, MOST_PAIRS).all()) {
            if (!row.is("protection", "none")) {
                bars.add(row.with("bar", row.number(Rows.SHARE)));
                if (row.is(Rows.PART, AMS)) {
                    bars.add(row.with(Rows.PART, "published").with("bar", row.number(Rows.PUBLISHED)));
                }
            }
        }
        folder.bars(
                name(),
                new Chart<>(
                        new Axes("Round trips relative to none, 21 pairs", "protection", "share of none", Scale.LINEAR),
                        row -> row.text(Rows.PART),
                        ReuseStudy::curveOf,
                        row -> row.number("bar")),
                bars);
    }
}
