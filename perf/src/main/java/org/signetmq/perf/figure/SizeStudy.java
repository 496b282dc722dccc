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
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Load.Limits;
import org.signetmq.perf.setting.Load.Producers;
import org.signetmq.perf.setting.Load.Style;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;

/**
 * Figure 4: sizes at which the speed falls. They are get buffers, consumer windows, the limit of large messages, and
 * the memory of addresses.
 */
record SizeStudy() implements Study {
    private static final String BUFFERS = "get buffers";
    private static final String WINDOWS = "consumer windows";
    private static final String LARGE = "large messages";
    static final String MEMORY = "memory of addresses";

    private static final int QUEUES = 21;
    private static final List<Integer> CLIENTS = List.of(1, 21, 81, 241);
    private static final List<Integer> QUICK_CLIENTS = List.of(41);
    private static final int SMALL_BUFFER = 2048;
    private static final int LARGE_BUFFER = 20_480;
    private static final List<Integer> CONSUMER_WINDOWS = List.of(0, 2048, 1024 * 1024);
    private static final int LIMIT = 100 * 1024; // of Artemis for large messages

    /** Sealed ones stay below the limit; sealed ones exceed it and plain ones do not; both exceed it. */
    private static final List<Integer> SIZES =
            List.of(LIMIT - 4096, LIMIT - 1024, LIMIT - 640, LIMIT - 256, LIMIT + 4096);

    private static final List<Integer> QUICK_SIZES = List.of(LIMIT - 4096, LIMIT - 640);
    private static final int ROOMY = 1024 * 1024; // no message of a crowd goes to pages

    private static final List<Integer> MEMORIES = List.of(16 * 1024, 128 * 1024, ROOMY);

    private static final List<Integer> QUICK_MEMORIES = List.of(16 * 1024, ROOMY);
    private static final int CROWD = 81; // their requests wait in one queue
    private static final Reuse REUSE = new Reuse("32");
    private static final Setting AMS = Setting.of(Protection.AMS_CONFIDENTIALITY, REUSE, KeyKind.RSA2048);
    private static final Setting SIGNET = Setting.of(Protection.CONFIDENTIALITY, REUSE, KeyKind.P256);

    @Override
    public String name() {
        return "figure-4";
    }

    @Override
    public List<Plan> plans(Length length, Timing timing) {
        boolean isFull = length == Length.FULL;
        List<Load> buffers = (isFull ? CLIENTS : QUICK_CLIENTS)
                .stream()
                        .flatMap(clients -> Stream.of(LARGE_BUFFER, SMALL_BUFFER)
                                .map(buffer -> load(clients, new Style(Producers.NAMED, 0, buffer))))
                        .toList();
        List<Load> windows = CONSUMER_WINDOWS.stream()
                .map(window -> load(CLIENTS.get(1), new Style(Producers.NAMED, window, Integer.MAX_VALUE)))
                .toList();
        List<Load> memories = (isFull ? MEMORIES : QUICK_MEMORIES)
                .stream()
                        .map(memory -> new Load(
                                CROWD,
                                1,
                                Payload.USUAL_SIZE,
                                Style.limited(new Limits(Limits.NONE.window(), Limits.NONE.buffer(), memory))))
                        .toList();
        List<Load> sizes = (isFull ? SIZES : QUICK_SIZES)
                .stream().map(size -> Load.of(8, 1, size)).toList();
        Timing closed = new Timing(timing.warmUpSeconds(), timing.seconds(), timing.rounds(), List.of());
        List<Plan> plans = new ArrayList<>(List.of(
                new Plan(BUFFERS, List.of(Setting.NONE, AMS), buffers, closed),
                new Plan(LARGE, List.of(Setting.NONE, SIGNET), sizes, timing),
                new Plan(MEMORY, List.of(Setting.NONE, SIGNET), memories, closed)));
        if (isFull) { // windows tell least of a step, and their pairs need half a minute
            plans.add(1, new Plan(WINDOWS, List.of(Setting.NONE, SIGNET), windows, closed));
        }
        return plans;
    }

    private static Load load(int clients, Style style) {
        return new Load(clients, QUEUES, Payload.USUAL_SIZE, style);
    }

    @Override
    public List<Result> withPublished(List<Result> rows) {
        PublishedFigure published = PublishedDocument.ams().figure(name());
        PublishedCurve large = published.curve("buffer.20KB");
        PublishedCurve small = published.curve("buffer.2KB");
        return rows.stream()
                .map(row -> {
                    double clients = row.number(Rows.CLIENTS);
                    boolean isSmall =
                            row.is("buffer", SMALL_BUFFER) && small.x().contains(clients);
                    return row.with(
                            "published_share_of_large_buffer",
                            isSmall ? small.at(clients) / large.at(clients) : Double.NaN);
                })
                .toList();
    }

    @Override
    public List<Target> targets(List<Result> rows) {
        List<Target> targets = new ArrayList<>();
        Rows buffers = new Rows(rows).part(BUFFERS);
        Rows busy = buffers.with(Rows.CLIENTS, buffers.mostClients());
        targets.add(Bar.atMost(0.8)
                .target(
                        "shape, " + buffers.mostClients() + " clients: buffer of 2 KB / 20 KB, "
                                + Rows.AMS_CONFIDENTIALITY,
                        List.of(rate(busy.with("buffer", SMALL_BUFFER), Rows.AMS_CONFIDENTIALITY)
                                .over(rate(busy.with("buffer", LARGE_BUFFER), Rows.AMS_CONFIDENTIALITY)))));
        Rows windows = new Rows(rows).part(WINDOWS);
        for (int window : CONSUMER_WINDOWS) {
            targets.add(windows.with("window", window)
                    .target("consumer window " + window, Rows.CONFIDENTIALITY, Rows.SHARE, Bar.atLeast(0.95)));
        }
        Rows large = new Rows(rows).part(LARGE);
        Figure below = large.with("size", LIMIT - 4096).figure(Rows.CONFIDENTIALITY, Rows.SHARE);
        for (int size : SIZES.subList(1, SIZES.size())) {
            targets.add(Bar.atLeast(0.95)
                    .target(
                            "across the limit of large messages, " + size + " bytes: share of none / below the limit",
                            List.of(large.with("size", size)
                                    .figure(Rows.CONFIDENTIALITY, Rows.SHARE)
                                    .over(below))));
        }
        Rows memories = new Rows(rows).part(MEMORY);
        Figure roomy = memories.with(Load.MEMORY, ROOMY).figure(Rows.CONFIDENTIALITY, Rows.SHARE);
        for (int memory : MEMORIES.subList(0, MEMORIES.size() - 1)) {
            targets.add(Bar.atLeast(0.95)
                    .target(
                            memory / 1024 + " KiB of memory for an address: share of none / with 1 MiB",
                            List.of(memories.with(Load.MEMORY, memory)
                                    .figure(Rows.CONFIDENTIALITY, Rows.SHARE)
                                    .over(roomy))));
        }
        return targets;
    }

    private static Figure rate(Rows rows, String setting) {
        return rows.figure(setting, "round_trips_per_s");
    }

    @Override
    public void draw(List<Result> rows, ChartFolder folder) throws IOException {
        List<Result> buffers = new Rows(rows)
                .part(BUFFERS).all().stream()
                        .map(row -> row.with(
                                Rows.SETTING, "ams, buffer." + (row.is("buffer", SMALL_BUFFER) ? "2KB" : "20KB")))
                        .toList();
        PublishedDocument published = PublishedDocument.ams();
        new Curves()
                .add(buffers, Rows.SHARE)
                .addPublished(
                        published.figure(name()), published.figure("figure-2").curve("none"))
                .draw(folder, name(), "Round trips relative to none, get buffers");
    }
}
