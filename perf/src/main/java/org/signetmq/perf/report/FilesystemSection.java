/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.io.IOException;
import java.util.List;
import org.signetmq.perf.filesystem.LossReport;
import org.signetmq.perf.result.Beside;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Target;

/** {@code signet perf filesystem}. */
record FilesystemSection(MeasuredFile file) implements Section {
    private LossReport report() {
        return new LossReport(file.rows());
    }

    @Override
    public String title() {
        return "Encrypted file systems";
    }

    @Override
    public String source() {
        return LossReport.source();
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
        text.table("Disks", file.list("disks"), ".*");
        text.table("Losses in percent", report().json(), ".*");
        text.table(
                "All loads",
                file.rows(),
                "part|" + RoundTripSection.NAMES + "|round_trips_per_s|share_of_none|p50_us|cpu_ms_per_.*");
        text.table("Not measured", file.list("not_measured"), ".*");
    }

    @Override
    public void draw(ChartFolder folder) throws IOException {
        report().draw(folder);
    }
}
