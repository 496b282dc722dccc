/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.published.PublishedDocument;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Beside;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Chart.Axes;
import org.signetmq.perf.result.Chart.Scale;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Report;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Table;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.setting.Setting;

/** The tables, targets and charts of losses, from rows as they stand in JSON. */
record LossReport(List<Result> rows) implements Report {
    private static final int USUAL_SIZE = 2048;
    private static final double WORST_SHARE = 0.90;
    private static final double LATENCY = 1.10;
    /** Two figures that are called equal may differ by this. */
    private static final double FLAT = 0.95;
    /** Encryption costs something; blocks of a busy machine differ by more. */
    static final double CHEAPEST = 0.95;

    private static final Table<Result> POINTS = new Table<>(
            Table.text("part", "%-20s", "part"),
            Table.text("setting", "%-30s", "setting"),
            Table.text("bytes", "%6d", "size"),
            Table.text("clients", "%7d", "clients"),
            Table.number("trips/s", "%8.0f", Block.RATE),
            Table.number("of none", "%7.3f", "share_of_none", ""),
            Table.number("p50 us", "%8.0f", "p50_us"),
            Table.number("p99 us", "%8.0f", "p99_us"),
            Table.number("broker ms", "%9.4f", Block.BROKER_CPU),
            Table.number("client ms", "%9.4f", Block.CLIENT_CPU),
            Table.number("disk ms", "%8.4f", Block.DISK_CPU, ""),
            Table.number("jit b", "%6.1f", Block.BROKER_JIT, ""),
            Table.number("jit c", "%6.1f", Block.CLIENT_JIT, ""));

    private static final Table<Result> LOSSES = new Table<>(
            Table.text("scenario", "%-10s", Loss.SCENARIO),
            Table.text("setting", "%-30s", Loss.SETTING),
            Table.text("bytes", "%6d", Loss.SIZE),
            Table.number("latency", "%8.1f", Loss.LATENCY, ""),
            Table.number("publ. A", "%7.0f", Loss.PUBLISHED_LATENCY + ".A", ""),
            Table.number("publ. B", "%7.0f", Loss.PUBLISHED_LATENCY + ".B", ""),
            Table.number("worst", "%7.1f", Loss.WORST, ""),
            Table.number("clients", "%7.0f", Loss.WORST_CLIENTS, ""),
            Table.number("publ. A", "%7.0f", Loss.PUBLISHED_WORST + ".A", ""),
            Table.number("publ. B", "%7.0f", Loss.PUBLISHED_WORST + ".B", ""),
            Table.number("peak", "%6.1f", Loss.PEAK, ""),
            Table.number("cpu", "%6.3f", Loss.CPU, ""));

    /** Prints all tables. */
    void print(PrintStream out) {
        out.println("each setting in processes of its own; medians of blocks; of none: relative to the blocks without"
                + " encryption on the same kind of disk, before and after; jit: ms of compilation a second");
        POINTS.print(rows, out);
        out.printf("%nloss in percent: latency of one client; rate at the worst number of clients, and at the peak;"
                + " cpu: of a round trip under the largest load, none is 1%n");
        LOSSES.print(json(), out);
    }

    /** Returns the losses as they stand in JSON. */
    List<Result> json() {
        return losses().stream().map(Loss::json).toList();
    }

    /** Returns the scenarios that have rows. */
    Set<Scenario> scenarios() {
        return losses().stream().map(Loss::scenario).collect(Collectors.toSet());
    }

    private List<Loss> losses() {
        return Loss.all(rows);
    }

    /** Returns the bars for Signet, and the shapes that encrypted file systems must show. */
    @Override
    public List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        List<Loss> signet = Comparison.ofSignet().stream()
                .flatMap(setting -> of(setting).stream())
                .toList();
        signet.stream()
                .filter(loss -> loss.scenario() == Scenario.ONE)
                .forEach(loss ->
                        targets.add(target(loss, "worst rate, of none", loss.worst(), Bar.atLeast(WORST_SHARE))));
        signet.stream()
                .filter(loss -> loss.scenario() == Scenario.ONE && loss.size() == USUAL_SIZE)
                .forEach(loss -> targets.add(
                        target(loss, "latency of one client, of none", loss.latency(), Bar.atMost(LATENCY))));
        signet.forEach(loss -> targets.addAll(beside(loss)));
        signet.stream()
                .filter(loss -> loss.scenario() == Scenario.HALF_CORE)
                .forEach(loss -> small(loss).ifPresent(targets::add));
        Comparison.fileSystems().stream()
                .flatMap(setting -> of(setting).stream())
                .forEach(loss ->
                        targets.add(target(loss, "shape: processor time, of none", loss.cpu(), Bar.atLeast(CHEAPEST))));
        return targets;
    }

    /** Signet must not lose more than a file system does. */
    private List<Target> beside(Loss signet) {
        return Comparison.fileSystems().stream()
                .flatMap(setting -> of(setting).stream())
                .filter(loss -> loss.scenario() == signet.scenario() && loss.size() == signet.size())
                .map(loss -> target(
                        signet,
                        "worst rate / that of " + loss.setting().place().disk(),
                        signet.worst().over(loss.worst()),
                        Bar.atLeast(1)))
                .toList();
    }

    /** Half a core must not lose more than a core does. */
    private Optional<Target> small(Loss half) {
        return of(half.setting()).stream()
                .filter(loss -> loss.scenario() == Scenario.ONE_CORE && loss.size() == half.size())
                .findFirst()
                .map(one -> target(
                        half, "worst rate / that with one core", half.worst().over(one.worst()), Bar.atLeast(FLAT)));
    }

    private static Target target(Loss loss, String name, Figure figure, Bar bar) {
        return bar.target(
                loss.scenario().label() + ", " + loss.size() + " bytes: " + subject(loss.setting()) + " " + name,
                List.of(figure));
    }

    private static String subject(Setting setting) {
        return Comparison.ofSignet().contains(setting)
                ? setting.protection().label()
                : setting.place().disk();
    }

    private List<Loss> of(Setting setting) {
        return losses().stream().filter(loss -> loss.setting().equals(setting)).toList();
    }

    /** Returns the document that has the published figures, and how they were read. */
    @Override
    public String source() {
        PublishedDocument document = PublishedDocument.encryptedFileSystem();
        return document.source() + ". " + document.reading();
    }

    /** Returns the published losses, in percent, beside ours. */
    @Override
    public List<Beside> beside() {
        List<Beside> all = new ArrayList<>();
        for (Result loss : json()) {
            add(all, loss, Loss.PUBLISHED_WORST, Loss.WORST, "rate at the worst load");
            add(all, loss, Loss.PUBLISHED_LATENCY, Loss.LATENCY, "latency of one client");
        }
        return all;
    }

    /** Adds a figure, if the models of the appliance have it too. */
    private static void add(List<Beside> all, Result loss, String published, String ours, String figure) {
        String ofModels = Stream.of("A", "B")
                .filter(model -> loss.has(published + "." + model))
                .map(model -> String.format(Locale.ROOT, "%+.0f (%s)", loss.number(published + "." + model), model))
                .collect(Collectors.joining(", "));
        if (!ofModels.isEmpty() && loss.has(ours)) {
            String name = loss.text(Loss.SCENARIO) + ", " + loss.text(Loss.SIZE) + " bytes, " + loss.text(Loss.SETTING)
                    + ": " + figure + ", percent";
            String repeat = "filesystem --scenario " + loss.text(Loss.SCENARIO) + " --size " + loss.text(Loss.SIZE);
            all.add(new Beside(name, ofModels, loss.number(ours), repeat));
        }
    }

    /** Draws the losses of each scenario, and the published ones. */
    @Override
    public void draw(ChartFolder folder) throws IOException {
        for (Scenario scenario : Scenario.values()) {
            List<Result> ours = json().stream()
                    .filter(loss -> loss.is(Loss.SCENARIO, scenario.label()))
                    .toList();
            Axes axes = new Axes(
                    "Rate lost at the worst number of clients, scenario " + scenario.label(),
                    "bytes",
                    "percent",
                    Scale.LINEAR);
            folder.bars(
                    "filesystem-" + scenario.label(),
                    new Chart<>(
                            axes,
                            row -> row.text(Loss.SETTING),
                            row -> row.text(Loss.SIZE),
                            row -> -row.number(Loss.WORST)),
                    ours.stream()
                            .flatMap(loss -> Stream.concat(Stream.of(loss), published(loss)))
                            .toList());
        }
    }

    /** Returns the published losses beside one of ours, once for each size. */
    private static Stream<Result> published(Result loss) {
        return Stream.of("A", "B")
                .filter(model -> loss.is(Loss.SETTING, Comparison.signet().label())
                        && loss.has(Loss.PUBLISHED_WORST + "." + model))
                .map(model -> loss.with(Loss.SETTING, "published " + model)
                        .with(Loss.WORST, loss.number(Loss.PUBLISHED_WORST + "." + model)));
    }
}
