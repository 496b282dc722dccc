/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.io.IOException;
import java.util.List;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;

/** The repetition of one published experiment. */
public interface Study {
    /** The length of a study. */
    enum Length {
        /** Enough for a first look. */
        QUICK,
        /** All loads of the published experiment. */
        FULL
    }

    /** Returns the name in the names of charts and files. */
    String name();

    /** Returns the plans, one after the other. */
    List<Plan> plans(Length length, Timing timing);

    /** Returns the rows with the published figures beside ours, where there are any. */
    List<Result> withPublished(List<Result> rows);

    /** Returns the bars for Signet, and the shapes that the published manner must show. */
    List<Target> targets(List<Result> rows);

    /** Draws our curves and the published ones. */
    void draw(List<Result> rows, ChartFolder folder) throws IOException;
}
