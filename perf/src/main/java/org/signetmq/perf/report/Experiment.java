/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.signetmq.perf.result.Beside;
import org.signetmq.perf.result.Report;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;

/**
 * One experiment with all of its runs.
 *
 * @param runs the files, the first run first
 */
record Experiment(List<MeasuredFile> runs) {
    private static final String RUN = ", run ";

    /** Returns the experiments of all files, in the order of the document. */
    static List<Experiment> of(List<MeasuredFile> files) {
        Map<String, List<MeasuredFile>> byPlace = new TreeMap<>();
        files.forEach(file -> byPlace.computeIfAbsent(Sections.place(file), place -> new ArrayList<>())
                .add(file));
        return byPlace.values().stream().map(Experiment::new).toList();
    }

    /** Returns what the document says of each run. */
    List<Section> sections() {
        return runs.stream().map(Sections::of).toList();
    }

    /** Returns the title of the first run. */
    String title() {
        return sections().get(0).title();
    }

    /** Returns the name of a run and its processor behind other words; empty if there is only one. */
    String suffix(int run) {
        String processor = runs.get(run).processor();
        String machine = processor.isEmpty() ? "" : " on " + processor;
        return runs.size() == 1 ? "" : RUN + (run + 1) + machine;
    }

    /** Returns the processors of all runs, in their order; one name if all runs had the same. */
    String processors() {
        List<String> all = runs.stream().map(MeasuredFile::processor).toList();
        return String.join(", ", Set.copyOf(all).size() == 1 ? all.subList(0, 1) : all);
    }

    /** Returns a row for each bar of any run, with the verdicts of all runs side by side. */
    List<Result> targets() {
        return rows(byName(Report::targets, Target::name), this::suffix);
    }

    /** Returns a row for each bar that any run has missed. The columns of runs are numbered always. */
    List<Result> missed() {
        Map<String, List<Optional<Target>>> all = byName(Report::targets, Target::name);
        all.values()
                .removeIf(ofRuns -> ofRuns.stream()
                        .flatMap(Optional::stream)
                        .noneMatch(target -> target.verdict() == Verdict.MISSED));
        return rows(all, run -> RUN + (run + 1));
    }

    private List<Result> rows(Map<String, List<Optional<Target>>> targets, IntFunction<String> suffix) {
        List<Result> rows = new ArrayList<>();
        targets.forEach((name, ofRuns) -> {
            Result row = Result.EMPTY
                    .with("target", name)
                    .with("bar", first(ofRuns).bar().toString());
            for (int run = 0; run < runs.size(); run++) {
                Optional<Target> target = ofRuns.get(run);
                row = row.with(
                                "measured" + suffix.apply(run),
                                target.map(Target::shown).orElse(""))
                        .with(
                                "met" + suffix.apply(run),
                                target.map(Target::word).orElse(""));
            }
            rows.add(row);
        });
        return rows;
    }

    /** Returns a row for each published figure that any run has beside its own. */
    List<Result> beside() {
        List<Result> rows = new ArrayList<>();
        byName(Report::beside, Beside::name).forEach((name, ofRuns) -> {
            Result row = Result.EMPTY
                    .with("figure", name)
                    .with("published", first(ofRuns).published());
            for (int run = 0; run < runs.size(); run++) {
                row = row.with(
                        "ours" + suffix(run),
                        ofRuns.get(run).<Object>map(Beside::ours).orElse(""));
            }
            rows.add(row.with("repeat by", "`signet perf " + first(ofRuns).repeat() + "`"));
        });
        return rows;
    }

    private static <T> T first(List<Optional<T>> ofRuns) {
        return ofRuns.stream().flatMap(Optional::stream).findFirst().orElseThrow();
    }

    /** Returns each name of any run, with what each run has under it. */
    private <T> Map<String, List<Optional<T>>> byName(Function<Report, List<T>> of, Function<T, String> name) {
        List<List<T>> all = sections().stream().map(Section::report).map(of).toList();
        Map<String, List<Optional<T>>> byName = new LinkedHashMap<>();
        IntStream.range(0, all.size())
                .forEach(run -> all.get(run)
                        .forEach(item -> byName.computeIfAbsent(
                                        name.apply(item),
                                        unused -> new ArrayList<>(runs.stream()
                                                .map(file -> Optional.<T>empty())
                                                .toList()))
                                .set(run, Optional.of(item))));
        return byName;
    }
}
