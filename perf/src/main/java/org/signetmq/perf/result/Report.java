/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.io.IOException;
import java.util.List;

/** What a command says of its rows, in the terminal and in the document of all measurements. */
public interface Report {
    /** Returns where the published figures come from; empty if nothing is published. */
    default String source() {
        return "";
    }

    /** Returns the published figures beside ours. */
    default List<Beside> beside() {
        return List.of();
    }

    /** Returns the bars for Signet, and the shapes of what was published. */
    List<Target> targets();

    /** Draws all charts for which there are rows. */
    void draw(ChartFolder folder) throws IOException;
}
