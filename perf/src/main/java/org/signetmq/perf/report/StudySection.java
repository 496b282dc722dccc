/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.io.IOException;
import java.util.List;
import org.signetmq.perf.figure.StudyReport;
import org.signetmq.perf.result.Beside;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Target;

/** {@code signet perf figure} and {@code tls}. */
record StudySection(MeasuredFile file) implements Section {
    private StudyReport report() {
        return new StudyReport(file.rows());
    }

    @Override
    public String title() {
        return report().title();
    }

    @Override
    public String source() {
        return report().source();
    }

    @Override
    public List<Beside> beside() {
        return report().beside();
    }

    @Override
    public List<Target> targets() {
        return report().targets();
    }

    @Override
    public void rows(Markdown text) {
        report().parts().forEach(part -> {
            if (!part.isEmpty()) {
                text.heading(4, part);
            }
            RoundTripSection.tables(text, report().part(part));
        });
    }

    @Override
    public void draw(ChartFolder folder) throws IOException {
        report().draw(folder);
    }
}
