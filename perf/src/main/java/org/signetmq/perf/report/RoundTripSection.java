/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.io.IOException;
import java.util.List;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.RrReport;

/** {@code signet perf rr}. */
record RoundTripSection(MeasuredFile file) implements Section {
    /** The fields that tell rows of round trips apart. */
    static final String NAMES = "setting|clients|queues|size|producers|window|buffer";

    @Override
    public String title() {
        return "Round trips through a broker";
    }

    @Override
    public List<Target> targets() {
        return new RrReport(file.rows()).targets();
    }

    @Override
    public void rows(Markdown text) {
        tables(text, file.rows());
    }

    /** Writes the tables of round trips. */
    static void tables(Markdown text, List<Result> rows) {
        text.table("", rows, NAMES + "|round_trips_per_s|share_of_.*|limit_of_share|published_.*");
        text.table("", rows, NAMES + "|runs\\.share_of_none.*|blocks");
        text.table("", rows, NAMES + "|cpu_ms_per_round_trip.*|added_cpu_ms|.*_per_message|(gc|jit)_ms_per_s.*");
        text.table("", rows, NAMES + "|p\\d+_us|at_.*");
    }

    @Override
    public void draw(ChartFolder folder) throws IOException {
        new RrReport(file.rows()).draw(folder);
    }
}
