/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.io.IOException;
import java.util.List;
import org.signetmq.perf.digest.DigestReport;
import org.signetmq.perf.result.Beside;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Target;

/** {@code signet perf digest}. */
record DigestSection(MeasuredFile file) implements Section {
    /** The fields that tell rows apart. */
    private static final String NAMES = "work|way|queue|buffers|block|throttled";

    private DigestReport report() {
        return new DigestReport(file.rows(), file.list("queues"));
    }

    @Override
    public String title() {
        return "Reading and digesting files";
    }

    @Override
    public String source() {
        return DigestReport.SOURCE;
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
        text.table("Files", file.list("disk"), ".*");
        text.table("Ways", file.rows(), "(?!file_bytes|.*\\.(min|median)).*");
        text.table("All runs", file.rows(), NAMES + "|.*\\.(min|median|max)");
        text.table(
                "Queues and buffers of the pipeline",
                file.list("queues"),
                "(?!way|work|throttled|file_bytes|.*\\.(min|median)).*");
    }

    @Override
    public void draw(ChartFolder folder) throws IOException {
        report().draw(folder);
    }
}
