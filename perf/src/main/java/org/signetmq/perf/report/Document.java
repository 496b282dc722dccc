/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;

/**
 * The document of all measurements. It begins with what readers gain and pay, goes on with the losses, and then shows
 * each experiment.
 *
 * @param notes Markdown that stands before the experiments
 */
record Document(List<MeasuredFile> files, List<String> notes, Pictures pictures) {
    /**
     * Where charts are drawn.
     *
     * @param folder null for a document without charts
     * @param link the path of the folder as the document names it
     */
    record Pictures(@Nullable Path folder, String link) {}

    /** Draws the charts, and returns the text. */
    String write() throws IOException {
        List<Experiment> experiments = Experiment.of(files);
        Markdown text = new Markdown();
        text.heading(1, "Performance");
        text.list(new Summary(files).lines());
        text.paragraph("`signet perf report` wrote this document from the JSON files of the commands that it names."
                + "\nRatios are within one run. Absolute figures hold for the machine named.");
        losses(text, experiments);
        notes.forEach(text::raw);
        ChartFolder charts = pictures.folder == null ? null : ChartFolder.ofVectors(pictures.folder);
        for (Experiment experiment : experiments) {
            experiment(text, experiment, charts);
        }
        return text.toString();
    }

    private static void losses(Markdown text, List<Experiment> experiments) {
        text.heading(2, "Losses");
        List<Verdict> verdicts = experiments.stream()
                .flatMap(experiment -> experiment.sections().stream())
                .flatMap(section -> section.report().targets().stream())
                .map(Target::verdict)
                .toList();
        text.paragraph(
                "Bars: " + count(verdicts, Verdict.MET) + " met, " + count(verdicts, Verdict.MISSED) + " missed, "
                        + count(verdicts, Verdict.NOISY) + " noisy, " + count(verdicts, Verdict.NOT_MEASURED)
                        + " not measured. Noisy figures scatter too much to prove anything."
                        + (verdicts.contains(Verdict.MISSED) ? "\nThese bars are missed:" : ""));
        List<Result> missed = new ArrayList<>();
        for (Experiment experiment : experiments) {
            experiment
                    .missed()
                    .forEach(row -> missed.add(Result.EMPTY
                            .with("experiment", experiment.title())
                            .with("machines", experiment.processors())
                            .and(row)));
        }
        text.table(missed);
    }

    private static long count(List<Verdict> verdicts, Verdict verdict) {
        return verdicts.stream().filter(verdict::equals).count();
    }

    private void experiment(Markdown text, Experiment experiment, @Nullable ChartFolder charts) throws IOException {
        text.heading(2, experiment.title());
        List<Section> sections = experiment.sections();
        String source = sections.get(0).report().source();
        if (!source.isEmpty()) {
            text.paragraph("Published: " + source + (source.endsWith(".") ? "" : "."));
        }
        for (int run = 0; run < sections.size(); run++) {
            run(text, experiment, run);
        }
        charts(text, sections, charts);
        List<Result> beside = experiment.beside();
        if (!beside.isEmpty()) {
            text.heading(3, "Published figures beside ours");
            text.table(beside);
        }
        text.heading(3, "Bars");
        text.table(experiment.targets());
        for (int run = 0; run < sections.size(); run++) {
            Markdown rows = new Markdown();
            sections.get(run).rows().write(rows);
            text.folded("All rows" + experiment.suffix(run), rows);
        }
    }

    /** Draws the charts of the last run, which is likely to be that of the newest product. */
    private void charts(Markdown text, List<Section> sections, @Nullable ChartFolder charts) throws IOException {
        List<String> drawn = draw(sections.get(sections.size() - 1), charts);
        if (!drawn.isEmpty() && sections.size() > 1) {
            text.paragraph("The charts show run " + sections.size() + ".");
        }
        drawn.forEach(chart -> text.paragraph("![" + chart + "](" + pictures.link + "/" + chart + ".svg)"));
    }

    /** Says how a run was made. */
    private static void run(Markdown text, Experiment experiment, int run) {
        MeasuredFile file = experiment.runs().get(run);
        String command = file.command();
        if (run == 0 || !command.equals(experiment.runs().get(run - 1).command())) {
            text.command(command);
        }
        text.paragraph((experiment.runs().size() == 1 ? "" : "Run " + (run + 1) + ". ") + file.machine() + ".");
        text.table("Failed", file.list("failed"), ".*");
    }

    /** Draws the charts of a run, and returns their names. */
    private static List<String> draw(Section section, @Nullable ChartFolder charts) throws IOException {
        if (charts == null) {
            return List.of();
        }
        int before = charts.written().size();
        section.report().draw(charts);
        List<String> written = charts.written();
        return written.subList(before, written.size());
    }
}
