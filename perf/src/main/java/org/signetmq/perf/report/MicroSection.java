/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.util.List;
import org.signetmq.perf.micro.MicroReport;
import org.signetmq.perf.result.Target;

/** {@code signet perf micro}. */
record MicroSection(MeasuredFile file) implements Section {
    private MicroReport report() {
        return new MicroReport(file.rows(), file.list("sizes"));
    }

    @Override
    public String title() {
        return "Single operations";
    }

    @Override
    public List<Target> targets() {
        return report().targets();
    }

    @Override
    public void rows(Markdown text) {
        text.table("", report().rows(), ".*");
        text.table("Bytes added to 2048, one recipient", report().sizes(), ".*");
        text.table("Time by reuse of keys: T(N) = T-infinity + K / N", file.list("laws"), ".*");
    }
}
