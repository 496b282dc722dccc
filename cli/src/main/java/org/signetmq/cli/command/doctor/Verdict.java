/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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

    /** Characters that break a line, steer a terminal, change the direction of text, or are halves. */
    private static final Pattern UNFIT = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

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
        return UNFIT.matcher(text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text)
                .replaceAll("?");
    }

    /** Returns the line. */
    String line() {
        return "%-5s %s: %s".formatted(level.label, area, what) + (remedy == null ? "" : "; " + remedy);
    }
}
