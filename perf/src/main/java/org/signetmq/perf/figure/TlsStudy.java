/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.signetmq.perf.published.PublishedDocument;
import org.signetmq.perf.published.PublishedFigure;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Chart.Axes;
import org.signetmq.perf.result.Chart.Scale;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Setting.Place;
import org.signetmq.perf.setting.Setting.Transport;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;

/** Protection of messages beside protection of connections, and both, on shared and on dedicated queues. */
record TlsStudy() implements Study {
    private static final String SHARED = "shared queues";
    private static final String DEDICATED = "dedicated queues";
    private static final Place TLS = new Place(Transport.TLS, "");
    private static final Setting SIGNET = Setting.of(Protection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);
    private static final List<Setting> SETTINGS = List.of(Setting.NONE, Setting.NONE.in(TLS), SIGNET, SIGNET.in(TLS));
    private static final String NONE_TLS = Setting.NONE.in(TLS).label();

    /** Settings, and the published curves of the same meaning. */
    private static final Map<String, String> CURVES =
            Map.of(NONE_TLS, "tls", Rows.CONFIDENTIALITY, "confidentiality.32", "privacy.p256", "privacy");

    @Override
    public String name() {
        return "tls";
    }

    @Override
    public List<Plan> plans(Length length, Timing timing) {
        List<Integer> clients = length == Length.FULL ? List.of(10, 32, 81, 200) : List.of(32);
        List<Load> shared = clients.stream()
                .map(count -> Load.of(count, 10, Payload.USUAL_SIZE))
                .toList();
        return List.of(
                new Plan(SHARED, SETTINGS, shared, timing),
                new Plan(DEDICATED, SETTINGS, List.of(Load.of(21, 21, Payload.USUAL_SIZE)), timing));
    }

    /** The paper has none only for dedicated queues. */
    @Override
    public List<Result> withPublished(List<Result> rows) {
        PublishedFigure dedicated = PublishedDocument.amsAppliance().figure("dedicated-queues");
        return rows.stream()
                .map(row -> {
                    String curve = row.is(Rows.PART, DEDICATED) ? CURVES.get(row.text(Rows.SETTING)) : null;
                    return row.with(
                            Rows.PUBLISHED,
                            curve == null
                                    ? Double.NaN
                                    : dedicated.curve(curve).y().get(0)
                                            / dedicated.curve("none").y().get(0));
                })
                .toList();
    }

    @Override
    public List<Target> targets(List<Result> rows) {
        Rows shared = new Rows(rows).part(SHARED);
        Rows dedicated = new Rows(rows).part(DEDICATED);
        List<Target> targets = new ArrayList<>();
        shared.all().stream()
                .map(row -> row.text(Rows.CLIENTS))
                .distinct()
                .forEach(clients -> targets.add(shared.with(Rows.CLIENTS, clients)
                        .ratio(SHARED + ", " + clients + " clients", Rows.CONFIDENTIALITY, NONE_TLS, Bar.atLeast(1))));
        targets.add(dedicated.ratio(DEDICATED, Rows.CONFIDENTIALITY, NONE_TLS, Bar.atLeast(1)));
        return targets;
    }

    @Override
    public void draw(List<Result> rows, ChartFolder folder) throws IOException {
        List<Result> bars = rows.stream()
                .flatMap(row -> row.has(Rows.PUBLISHED)
                        ? Stream.of(
                                row,
                                row.with(Rows.SETTING, "published " + row.text(Rows.SETTING))
                                        .with(Rows.SHARE, row.number(Rows.PUBLISHED)))
                        : Stream.of(row))
                .toList();
        folder.bars(
                name(),
                new Chart<>(
                        new Axes("Round trips relative to none", "queues", "share of none", Scale.LINEAR),
                        row -> row.text(Rows.SETTING),
                        row -> row.text(Rows.PART) + ", " + row.text(Rows.CLIENTS) + " clients",
                        row -> row.number(Rows.SHARE)),
                bars);
    }
}
