/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.io.IOException;
import java.util.List;
import org.signetmq.perf.result.Beside;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Target;

/** What the document says of one run of an experiment. */
interface Section {
    /** Returns the title, which all runs of an experiment have. */
    String title();

    /** Returns where the published figures come from; empty if nothing is published. */
    default String source() {
        return "";
    }

    /** Returns the published figures beside ours. */
    default List<Beside> beside() {
        return List.of();
    }

    /** Returns the bars. */
    List<Target> targets();

    /** Writes all rows. */
    void rows(Markdown text);

    /** Draws the charts. */
    default void draw(ChartFolder folder) throws IOException {}
}
