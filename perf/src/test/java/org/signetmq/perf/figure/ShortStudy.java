/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;

/**
 * A study with one part, few settings and one load.
 *
 * @param settings the labels of the settings that stay, beside the baseline
 */
record ShortStudy(Study study, String part, List<String> settings, Load load) implements Study {
    @Override
    public String name() {
        return study.name();
    }

    @Override
    public List<Plan> plans(Length length, Timing timing) {
        Timing withoutPaces = new Timing(timing.warmUpSeconds(), timing.seconds(), timing.rounds(), List.of());
        return study.plans(length, timing).stream()
                .filter(plan -> plan.part().equals(part))
                .map(plan -> new Plan(
                        part,
                        plan.settings().stream()
                                .filter(isBaseline(plan).or(setting -> settings.contains(setting.label())))
                                .toList(),
                        List.of(load),
                        withoutPaces))
                .toList();
    }

    private static Predicate<Setting> isBaseline(Plan plan) {
        return setting -> setting.equals(plan.baseline());
    }

    @Override
    public List<Result> withPublished(List<Result> rows) {
        return study.withPublished(rows);
    }

    @Override
    public List<Target> targets(List<Result> rows) {
        return study.targets(rows);
    }

    @Override
    public void draw(List<Result> rows, ChartFolder folder) throws IOException {
        study.draw(rows, folder);
    }
}
