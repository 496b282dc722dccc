/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.io.IOException;
import java.util.List;
import org.signetmq.perf.mailbox.MailboxReport;
import org.signetmq.perf.result.Beside;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Target;

/** {@code signet perf mailbox}. */
record MailboxSection(MeasuredFile file) implements Section {
    /** The fields that tell rows apart. */
    private static final String NAMES = "situation|arrival|small_percent|pool";

    private MailboxReport report() {
        return new MailboxReport(file.rows());
    }

    @Override
    public String title() {
        return "Files to mailboxes";
    }

    @Override
    public String source() {
        return MailboxReport.SOURCE;
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
        text.table(
                "", file.rows(), NAMES + "|files_per_s|share_of_off|p\\d+_us|cpu_ms_per_file.*|key_waits.*|heap_mb.*");
        text.table("", file.rows(), NAMES + "|runs\\..*|blocks");
    }

    @Override
    public void draw(ChartFolder folder) throws IOException {
        report().draw(folder);
    }
}
