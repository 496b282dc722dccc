/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.io.PrintStream;
import java.util.List;
import org.signetmq.perf.result.Table.Column;

/** A figure that Signet wants to reach, held against its bar; the measured value is NaN if there is none. */
public record Target(String name, double measured, Bar bar, Verdict verdict) {
    private static final Table<Target> TABLE = new Table<>(
            new Column<>("target", "%-76s", Target::name),
            new Column<>("measured", "%10s", target -> target.measured("-")),
            new Column<>("bar", "%12s", Target::bar),
            new Column<>("met", "%s", target -> target.verdict.word));

    /** The verdict of a measurement on a target. A noisy figure scatters so much that it proves nothing. */
    public enum Verdict {
        MET("yes"),
        MISSED("no"),
        NOISY("noisy"),
        NOT_MEASURED("not measured");

        private final String word;

        Verdict(String word) {
            this.word = word;
        }
    }

    /** Prints all targets: met, missed, noisy or not measured. */
    public static void print(List<Target> targets, PrintStream out) {
        out.println();
        TABLE.print(targets, out);
        if (targets.stream().anyMatch(target -> target.verdict == Verdict.NOISY)) {
            out.printf("%nnoisy: the figures scatter too much to prove anything; run again on a quiet machine%n");
        }
    }

    /** Returns the measured value as it is shown; empty if there is none. */
    public String shown() {
        return measured("");
    }

    /** Returns the verdict in Markdown. */
    public String word() {
        return verdict == Verdict.MISSED ? "**no**" : verdict.word;
    }

    private String measured(String otherwise) {
        return Double.isNaN(measured) ? otherwise : Bar.number(measured);
    }
}
