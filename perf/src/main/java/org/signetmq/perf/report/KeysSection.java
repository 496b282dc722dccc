/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.util.List;
import org.signetmq.perf.keys.KeysReport;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;

/** {@code signet perf keys}. */
record KeysSection(MeasuredFile file) implements Section {
    private static final String EXPERIMENT = "experiment";

    @Override
    public String title() {
        return "Keys ahead of need";
    }

    @Override
    public List<Target> targets() {
        return new KeysReport(file.rows()).targets();
    }

    @Override
    public void rows(Markdown text) {
        List<Result> rows = file.rows();
        rows.stream().map(row -> row.text(EXPERIMENT)).distinct().forEach(name -> {
            List<Result> ofName =
                    rows.stream().filter(row -> row.is(EXPERIMENT, name)).toList();
            text.table(name, ofName, "(?!experiment).*");
        });
    }
}
