/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.Failures;

/**
 * A line of the doctor's report. Its texts come from files and brokers, and fit a terminal.
 *
 * @param area what was checked
 * @param what is wrong, or was found
 * @param remedy what to do; null if the level is ok
 */
record Verdict(
        String area, Level level, String what, @Nullable String remedy) {
    private static final int LONGEST = 2000;

    Verdict {
        area = fit(area);
        what = fit(what);
        remedy = remedy == null ? null : fit(remedy);
    }

    /** How bad it is. */
    enum Level {
        @JsonProperty("ok")
        OK("ok"),
        @JsonProperty("warning")
        WARNING("warn"),
        @JsonProperty("wrong")
        WRONG("WRONG");

        private final String label;

        Level(String label) {
            this.label = label;
        }
    }

    private static String fit(String text) {
        return Failures.oneLine(text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text);
    }

    /** Returns the line. */
    String line() {
        return "%-5s %s: %s".formatted(level.label, area, what) + (remedy == null ? "" : "; " + remedy);
    }
}
