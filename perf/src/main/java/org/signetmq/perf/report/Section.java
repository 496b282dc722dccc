/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import org.signetmq.perf.result.Report;

/**
 * What the document says of one run of an experiment.
 *
 * @param title which all runs of an experiment have
 * @param rows writes the tables of all rows
 */
record Section(String title, Report report, Rows rows) {
    /** Writes the tables of all rows. */
    @FunctionalInterface
    interface Rows {
        void write(Markdown text);
    }
}
