/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lines of a label and a value each. The values begin in one column. */
public final class LabelledLines {
    private final String format;
    private final List<String> lines = new ArrayList<>();

    /** @param width of the labels, in characters */
    public LabelledLines(int width) {
        this.format = "%-" + width + "s %s";
    }

    /** Adds a line, unless the value is null. */
    public LabelledLines add(String label, @Nullable Object value) {
        if (value != null) {
            lines.add(format.formatted(label, value));
        }
        return this;
    }

    /** Adds lines without labels. */
    public LabelledLines addAll(List<String> unlabelled) {
        lines.addAll(unlabelled);
        return this;
    }

    /** Returns all lines in order. */
    public List<String> lines() {
        return List.copyOf(lines);
    }
}
