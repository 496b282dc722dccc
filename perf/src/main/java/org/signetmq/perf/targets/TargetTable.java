/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.targets;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Targets as a table: met, missed, noisy or not measured, none is left out. */
public final class TargetTable {
    private final List<Target> targets;

    /** Of these targets. */
    public TargetTable(List<Target> targets) {
        this.targets = List.copyOf(targets);
    }

    /** For a terminal. */
    public void print(PrintStream out) {
        out.printf("%n%-76s %10s %12s %s%n", "target", "measured", "bar", "met");
        for (Target target : targets) {
            out.printf(
                    "%-76s %10s %12s %s%n", target.name(), measured(target, "-"), bar(target.bar()), target.verdict());
        }
        if (targets.stream().anyMatch(target -> target.verdict() == Verdict.NOISY)) {
            out.printf("%nnoisy: the figures scatter too much to prove anything; run again on a quiet machine%n");
        }
    }

    /** For a document. */
    public String markdown() {
        StringBuilder table = new StringBuilder("| target | measured | bar | met |\n| --- | --- | --- | --- |\n");
        for (Target target : targets) {
            String verdict = target.verdict() == Verdict.MISSED
                    ? "**no**"
                    : target.verdict().toString();
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s |\n",
                    target.name(),
                    measured(target, ""),
                    bar(target.bar()),
                    verdict));
        }
        return table.toString();
    }

    private static String measured(Target target, String otherwise) {
        return Double.isNaN(target.measured()) ? otherwise : number(target.measured());
    }

    private static String bar(Bar bar) {
        return (bar.side() == Bar.Side.AT_MOST ? "<= " : ">= ") + number(bar.value());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) && Math.abs(value) >= 100 ? "%.0f" : "%.3f", value);
    }
}
