/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.util.List;
import org.signetmq.perf.figure.Study.Length;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Table;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Experiment;
import org.signetmq.perf.rr.PairPool;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.rr.RrReport;
import org.signetmq.perf.rr.RunOptions;

/** Carries out a study, prints its tables and targets, and leaves its files. */
record StudyRun(Study study, RunOptions options) {
    static final String STUDY = "study";
    static final Timing TIMING = new Timing(25, 1, 4, Timing.USUAL_PACES);

    private static final Table<Result> BESIDE = new Table<>(
            Table.text("part", "%-20s", Rows.PART),
            Table.text("setting", "%-30s", Rows.SETTING),
            Table.text("clients", "%7d", Rows.CLIENTS),
            Table.number("of none", "%7.3f", Rows.SHARE, ""),
            Table.number("published", "%9.3f", Rows.PUBLISHED, ""));

    /** Returns the exit code. */
    int run() throws Exception {
        Parts parts = new Parts();
        Experiment experiment = new Experiment(options, PairPool.Site.USUAL, parts);
        Length length = options.isQuick() ? Length.QUICK : Length.FULL;
        List<Result> measured = List.of();
        List<Plan> plans = study.plans(length, options.timing(TIMING));
        experiment.announce(plans);
        for (Plan plan : plans) {
            measured = experiment.run(plan);
        }
        List<Result> rows = study.withPublished(measured).stream()
                .map(row -> row.with(STUDY, study.name()))
                .toList();
        new RrReport(rows).print(System.out);
        System.out.printf("%nbeside the published figures%n");
        BESIDE.print(rows.stream().filter(row -> row.has(Rows.PUBLISHED)).toList(), System.out);
        Target.print(study.targets(rows), System.out);
        options.outputs().write(rows, experiment.raw(), folder -> study.draw(rows, folder), parts);
        return parts.exitCode();
    }
}
