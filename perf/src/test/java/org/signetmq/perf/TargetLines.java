/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import java.util.List;
import java.util.stream.Collectors;
import org.signetmq.perf.result.Target;

/** Targets as lines of text. */
public final class TargetLines {
    private TargetLines() {}

    /** Returns a line for each target: name, measured value, bar and verdict. */
    public static String of(List<Target> targets) {
        return targets.stream()
                .map(target -> String.join(
                        " | ",
                        "| " + target.name(),
                        target.shown(),
                        target.bar().toString(),
                        target.word() + " |\n"))
                .collect(Collectors.joining());
    }
}
